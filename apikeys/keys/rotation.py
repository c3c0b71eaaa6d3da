"""Rotate a key's secret: the old one expires a grace period after the new one's first use.

The key keeps its id, name, scopes and expiry date. At most two secrets are valid; the old one for
at most HARD_END, and neither longer than the key.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from apikeys import secrets
from apikeys.keys import keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from apikeys.secrets import Minted
from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import AlreadyDone, NotReady, Refused, WrongStatus

HARD_END = timedelta(days=7)
# Grace periods: how long the old secret works after the first use of the new one.
GRACES: Mapping[str, timedelta] = {
    "0": timedelta(),
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
}
MORE = timedelta(hours=24)


class NothingToExtend(Refused):
    """The old secret cannot be extended any further."""


@transaction.atomic
def rotate(
    key: ApiKey, *, grace: timedelta, replaces: datetime | None = None, by: User
) -> tuple[ApiKey, Minted]:
    """Give a key a new secret, shown once. The old one works until its grace period ends.

    `replaces` is when the secret shown on the page was created, so a form that is sent twice
    rotates once.
    """
    Business.objects.locked(key.business)  # waits for a concurrent suspension
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    if blockers := keys.grant_blockers(key.grant):
        raise NotReady(_("You cannot rotate this key now."), blockers=blockers)
    if replaces not in (None, key.secret_set_at):
        raise AlreadyDone(
            _(
                "This key already got a new secret, which we showed once. If nobody stored it, "
                "we delete it after 15 minutes, and the old secret keeps working."
            )
        )
    minted, now = secrets.mint_again(key.public_id), clock.now()
    key.former_digest, key.former_pepper = key.digest, key.pepper
    key.former_ends_at = min(now + HARD_END, key.expires_at)
    key.digest, key.pepper = minted.digest, minted.pepper
    key.rotated_at, key.grace_seconds = now, int(grace.total_seconds())
    key.secret_used_at = key.stored_at = None
    return keys.move(key, KeyStatus.ROTATING, by=by), minted


@transaction.atomic
def note_first_use(key_pk: int, *, by: Actor) -> None:
    """Start the old secret's grace period at the first call with the new one. Idempotent."""
    key = ApiKey.objects.locked(ApiKey(pk=key_pk))
    if key.status != KeyStatus.ROTATING or key.secret_used_at:
        return
    key.secret_used_at = clock.now()
    _end_former_at(key, key.secret_used_at + timedelta(seconds=key.grace_seconds))
    audit.record("key.secret_used", key, by=by)


@transaction.atomic
def end_former(key: ApiKey, *, by: User) -> ApiKey:
    """End the old secret now."""
    key = _rotating(key, by)
    key.former_ends_at = clock.now()
    return _finish(key, by=by)


@transaction.atomic
def extend_former(key: ApiKey, *, ends_at: datetime | None = None, by: User) -> ApiKey:
    """Extend the old secret by 24 hours, up to HARD_END after the rotation.

    `ends_at` is the end that the page showed, so a form that is sent twice extends once.
    """
    key = _rotating(key, by)
    if ends_at not in (None, key.former_ends_at):
        raise AlreadyDone(
            _("The end of the old secret changed after you opened this page. Look at it first.")
        )
    assert key.former_ends_at is not None
    was = key.former_ends_at
    _end_former_at(key, was + MORE)
    if key.former_ends_at <= was:
        raise NothingToExtend(_("You cannot extend the old secret further. The limit is 7 days."))
    audit.record("key.grace_extended", key, by=by, until=clock.iso(key.former_ends_at))
    return key


def finish_rotations() -> None:
    """Finish every rotation whose old secret has expired."""
    over = ApiKey.objects.filter(status=KeyStatus.ROTATING, former_ends_at__lte=clock.now())
    for key in over.order_by("pk").iterator():
        finish(key, by=SYSTEM)


@transaction.atomic
def finish(key: ApiKey, *, by: Actor) -> ApiKey:
    """Finish a rotation if the old secret has expired by now."""
    key = ApiKey.objects.locked(key)
    ends = key.former_ends_at
    if key.status != KeyStatus.ROTATING or ends is None or ends > clock.now():
        return key
    return _finish(key, by=by)


@transaction.atomic
def take_back(key: ApiKey, *, by: Actor) -> ApiKey:
    """Discard a new secret that was neither stored nor used; the old one stays valid."""
    key = ApiKey.objects.locked(key)
    if key.status != KeyStatus.ROTATING or key.secret_used_at or key.stored_at:
        return key
    assert key.former_digest is not None
    assert key.former_pepper is not None
    key.digest, key.pepper = key.former_digest, key.former_pepper
    key.former_digest = key.former_pepper = key.former_ends_at = key.rotated_at = None
    key.stored_at = clock.now()
    keys.set_status(key, KeyStatus.ACTIVE)
    keys.announce(key, "key.rotation_dropped", by=by)
    return key


def _rotating(key: ApiKey, by: User) -> ApiKey:
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    if key.status != KeyStatus.ROTATING:
        raise WrongStatus(_("The key “%(name)s” is not being rotated.") % {"name": key.name})
    return key


def _end_former_at(key: ApiKey, moment: datetime) -> None:
    """Set when the old secret expires, limited by HARD_END and by the key's own expiry date."""
    assert key.rotated_at is not None
    key.former_ends_at = min(moment, key.rotated_at + HARD_END, key.expires_at)
    key.save()


def _finish(key: ApiKey, *, by: Actor) -> ApiKey:
    keys.set_status(key, KeyStatus.ACTIVE)
    keys.announce(key, "key.rotated", by=by)
    return key
