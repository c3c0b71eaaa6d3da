"""Exchange the secret of a key: the new one waits, and its first use starts the old one's grace.

The key keeps its id, name, scopes and end. Two secrets open it at most, the old one never longer
than HARD_END, and none longer than the key itself.
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
# How long the old secret goes on after the first use of the new one.
GRACES: Mapping[str, timedelta] = {
    "0": timedelta(),
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
}
MORE = timedelta(hours=24)


class NothingToExtend(Refused):
    """The old secret already lives as long as it may."""


@transaction.atomic
def rotate(
    key: ApiKey, *, grace: timedelta, replaces: datetime | None = None, by: User
) -> tuple[ApiKey, Minted]:
    """Give a key a new secret, shown once. The old one opens until the grace is over.

    `replaces` is the moment of the secret that its page showed: the same form sent twice rotates
    once.
    """
    Business.objects.locked(key.business)  # a suspension in the same moment is waited for
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
    """Start the old secret's grace, because somebody has called with the new one. Twice is once."""
    key = ApiKey.objects.locked(ApiKey(pk=key_pk))
    if key.status != KeyStatus.ROTATING or key.secret_used_at:
        return
    key.secret_used_at = clock.now()
    _end_former_at(key, key.secret_used_at + timedelta(seconds=key.grace_seconds))
    audit.record("key.secret_used", key, by=by)


@transaction.atomic
def end_former(key: ApiKey, *, by: User) -> ApiKey:
    """Let the old secret open nothing from now on."""
    key = _rotating(key, by)
    key.former_ends_at = clock.now()
    return _finish(key, by=by)


@transaction.atomic
def extend_former(key: ApiKey, *, by: User) -> ApiKey:
    """Give the old secret 24 hours more, up to its hard end."""
    key = _rotating(key, by)
    assert key.former_ends_at is not None
    was = key.former_ends_at
    _end_former_at(key, was + MORE)
    if key.former_ends_at <= was:
        raise NothingToExtend(_("You cannot extend the old secret further. The limit is 7 days."))
    audit.record("key.grace_extended", key, by=by, until=clock.iso(key.former_ends_at))
    return key


def finish_rotations() -> None:
    """End every rotation whose old secret opens nothing any more."""
    over = ApiKey.objects.filter(status=KeyStatus.ROTATING, former_ends_at__lte=clock.now())
    for key in over.order_by("pk").iterator():
        finish(key, by=SYSTEM)


@transaction.atomic
def finish(key: ApiKey, *, by: Actor) -> ApiKey:
    """End one rotation, unless it was prolonged or ended meanwhile."""
    key = ApiKey.objects.locked(key)
    ends = key.former_ends_at
    if key.status != KeyStatus.ROTATING or ends is None or ends > clock.now():
        return key
    return _finish(key, by=by)


@transaction.atomic
def take_back(key: ApiKey, *, by: Actor) -> ApiKey:
    """Drop a new secret that nobody stored or used; the old one goes on as if nothing had been."""
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
    """End the old secret then, or when its hard end or the key's own end comes first."""
    assert key.rotated_at is not None
    key.former_ends_at = min(moment, key.rotated_at + HARD_END, key.expires_at)
    key.save()


def _finish(key: ApiKey, *, by: Actor) -> ApiKey:
    keys.set_status(key, KeyStatus.ACTIVE)
    keys.announce(key, "key.rotated", by=by)
    return key
