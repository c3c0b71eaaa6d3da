"""What the passing of time does to keys: unconfirmed and unused ones end, and notice is given."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from apikeys.keys import keys, rotation
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey, KeyNotice, RequestLog
from console.accounts import access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.core import clock
from console.core.refusals import NotReady, WrongStatus

UNCONFIRMED = timedelta(minutes=15)
# Days before its end on which the people of a key hear of it.
EXPIRY_NOTICES = (30, 14, 7, 1)
# Days without a call after which they hear of that, and after which the key is disabled.
UNUSED_NOTICES = (76, 83)
UNUSED_DAYS = 90


def drop_unconfirmed() -> None:
    """Revoke what nobody marked as stored and nobody used: a secret that was shown to nobody."""
    since = clock.now() - UNCONFIRMED
    shown = ApiKey.objects.filter(status=KeyStatus.ACTIVE, stored_at=None, last_used_at=None)
    shown = shown.filter(issued_at__lte=since).exclude(rotated_at__gt=since)
    for key in shown.order_by("pk").iterator():
        revoke_unconfirmed(key, by=SYSTEM)
    again = ApiKey.objects.filter(status=KeyStatus.ROTATING, stored_at=None, secret_used_at=None)
    for key in again.filter(rotated_at__lte=since).order_by("pk").iterator():
        rotation.take_back(key, by=SYSTEM)


@transaction.atomic
def revoke_unconfirmed(key: ApiKey, *, by: Actor) -> None:
    """Revoke a new key that was neither stored nor used, unless it was meanwhile."""
    key = ApiKey.objects.locked(key)
    # The last use is written seconds late; the log knows of it at once.
    used = RequestLog.objects.filter(
        business=key.business, key_id=key.public_id, at__gte=key.issued_at
    )
    if key.status == KeyStatus.ACTIVE and not key.stored_at and not used.exists():
        keys.move(key, KeyStatus.REVOKED, by=by, reason="not_stored")


def give_notices() -> None:
    """Tell what is coming: a key's end, and that it is disabled because nobody uses it."""
    now, nearer = clock.now(), timedelta()
    for days in sorted(EXPIRY_NOTICES):
        before = timedelta(days=days)
        ending = ApiKey.objects.held().filter(
            expires_at__gt=now + nearer, expires_at__lte=now + before
        )
        for key in ending.without_notice(f"expiring_{days}", "expires_at").iterator():
            if key.issued_at + before <= key.expires_at:
                tell_expiring(key, days, by=SYSTEM)
        nearer = before
    for days in UNUSED_NOTICES:
        idle = ApiKey.objects.unused_since(now - timedelta(days=days))
        for key in idle.without_notice(f"unused_{days}", "idle_since").iterator():
            since: datetime = key.idle_since  # type: ignore[attr-defined]  # annotated
            tell_unused(key, days, counted_from=since, by=SYSTEM)


@transaction.atomic
def tell_expiring(key: ApiKey, days: int, *, by: Actor) -> None:
    """Tell the people of a key, once, that it ends within so many days."""
    if _note(key, f"expiring_{days}", key.expires_at):
        keys.announce(key, "key.expiring", by=by, news={"days": str(days)})


@transaction.atomic
def tell_unused(key: ApiKey, days: int, *, counted_from: datetime, by: Actor) -> None:
    """Tell the people of a key, once for each long pause, that nobody has used it for so long."""
    if _note(key, f"unused_{days}", counted_from):
        keys.announce(key, "key.unused", by=by, news={"days": str(days)})


def _note(key: ApiKey, kind: str, counted_from: datetime) -> bool:
    """Note that a notice is given; False when it was given before."""
    _, new = KeyNotice.objects.get_or_create(
        key=key, kind=kind, counted_from=counted_from, defaults={"at": clock.now()}
    )
    return new


def disable_unused() -> None:
    """Disable every key that nobody has used for 90 days."""
    long_ago = clock.now() - timedelta(days=UNUSED_DAYS)
    for key in ApiKey.objects.unused_since(long_ago).order_by("pk").iterator():
        disable(key, by=SYSTEM)


@transaction.atomic
def disable(key: ApiKey, *, by: Actor) -> None:
    """Disable a key that nobody has used for 90 days, unless somebody did meanwhile."""
    key = ApiKey.objects.locked(key)
    long_ago = clock.now() - timedelta(days=UNUSED_DAYS)
    if ApiKey.objects.unused_since(long_ago).filter(pk=key.pk).exists():
        keys.move(key, KeyStatus.DISABLED, by=by, reason="unused")


@transaction.atomic
def enable(key: ApiKey, *, by: User) -> ApiKey:
    """Return a disabled key to use; its 90 days begin anew."""
    Business.objects.locked(key.business)  # a suspension in the same moment is waited for
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    if key.status != KeyStatus.DISABLED:
        raise WrongStatus(_("The key “%(name)s” is not disabled.") % {"name": key.name})
    if blockers := keys.grant_blockers(key.grant):
        raise NotReady(_("You cannot enable this key now."), blockers=blockers)
    key.enabled_at = clock.now()
    return keys.move(key, KeyStatus.ACTIVE, by=by)
