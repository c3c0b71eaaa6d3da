"""Revoke every key whose whole credential appears in a reported text."""

from collections import defaultdict

from django.db import transaction

from apikeys import secrets
from apikeys.keys import keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def revoke_shown(text: str, *, by: Actor) -> int:
    """Revoke the keys whose credentials appear in the text, and return how many.

    A secret must match the key's current secret, or the previous one while it is still valid.
    Disabled keys are revoked too.
    """
    stated: dict[str, set[str]] = defaultdict(set)
    for key_id, secret in secrets.pairs_in(text):
        stated[key_id].add(secret)
    rows = ApiKey.objects.held().filter(public_id__in=stated).select_related("grant__business")
    held = rows.select_for_update(no_key=True, of=("self",)).order_by("pk")
    shown = [key for key in held if any(_opens(key, one) for one in stated[key.public_id])]
    for key in shown:
        keys.move(key, KeyStatus.REVOKED, by=by, reason="exposed")
    return len(shown)


def _opens(key: ApiKey, secret: str) -> bool:
    if secrets.matches(key.public_id, secret, bytes(key.digest), key.pepper):
        return True
    ends, former = key.former_ends_at, key.former_digest
    if former is None or ends is None or ends <= clock.now():
        return False
    return secrets.matches(key.public_id, secret, bytes(former), key.former_pepper or 0)
