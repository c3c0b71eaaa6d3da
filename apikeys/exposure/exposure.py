"""Revoke every key whose whole secret stands in a text that somebody sent us."""

from collections import defaultdict

from django.db import transaction

from apikeys import secrets
from apikeys.keys import keys
from apikeys.lifecycle import HELD, KeyStatus
from apikeys.models import ApiKey
from console.accounts.actors import Actor
from console.core import clock


@transaction.atomic
def revoke_shown(text: str, *, by: Actor) -> int:
    """Revoke what the text proves to be known to others, and return how many keys that were.

    A pair proves right when its secret opens the key, or would if the key were not disabled.
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
    if key.status not in HELD:
        return False
    if secrets.matches(key.public_id, secret, bytes(key.digest), key.pepper):
        return True
    ends, former = key.former_ends_at, key.former_digest
    if former is None or ends is None or ends <= clock.now():
        return False
    return secrets.matches(key.public_id, secret, bytes(former), key.former_pepper or 0)
