"""Timed key jobs: expiry and idle notices, and ending unconfirmed or unused keys."""

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
# Days before expiry on which we send a notice.
EXPIRY_NOTICES = (30, 14, 7, 1)
# Days without a call after which we send a notice, and after which the key is disabled.
UNUSED_NOTICES = (76, 83)
UNUSED_DAYS = 90


def drop_unconfirmed() -> None:
    """Revoke secrets that were neither marked as stored nor used within 15 minutes."""
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
    """Revoke a new key that is still neither stored nor used."""
    key = ApiKey.objects.locked(key)
    # `last_used_at` is written seconds late; the request log is current.
    used = RequestLog.objects.filter(
        business=key.business, key_id=key.public_id, at__gte=key.issued_at
    )
    if key.status == KeyStatus.ACTIVE and not key.stored_at and not used.exists():
        keys.move(key, KeyStatus.REVOKED, by=by, reason="not_stored")


def give_notices() -> None:
    """Send the notices of keys that expire soon and of unused keys."""
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
    """Announce, once, that a key expires within this many days."""
    if _note(key, f"expiring_{days}", key.expires_at):
        keys.announce(key, "key.expiring", by=by, news={"days": str(days)})


@transaction.atomic
def tell_unused(key: ApiKey, days: int, *, counted_from: datetime, by: Actor) -> None:
    """Announce, once for each idle period, that a key was unused for this many days."""
    if _note(key, f"unused_{days}", counted_from):
        keys.announce(key, "key.unused", by=by, news={"days": str(days)})


def _note(key: ApiKey, kind: str, counted_from: datetime) -> bool:
    """Record that a notice was sent; return False if it was sent before."""
    _notice, new = KeyNotice.objects.get_or_create(
        key=key, kind=kind, counted_from=counted_from, defaults={"at": clock.now()}
    )
    return new


def disable_unused() -> None:
    """Disable every key that was unused for 90 days."""
    long_ago = clock.now() - timedelta(days=UNUSED_DAYS)
    for key in ApiKey.objects.unused_since(long_ago).order_by("pk").iterator():
        disable(key, by=SYSTEM)


@transaction.atomic
def disable(key: ApiKey, *, by: Actor) -> None:
    """Disable a key if it is still unused for 90 days."""
    key = ApiKey.objects.locked(key)
    long_ago = clock.now() - timedelta(days=UNUSED_DAYS)
    if ApiKey.objects.unused_since(long_ago).filter(pk=key.pk).exists():
        keys.move(key, KeyStatus.DISABLED, by=by, reason="unused")


@transaction.atomic
def enable(key: ApiKey, *, by: User) -> ApiKey:
    """Enable a disabled key; the 90 days start again."""
    Business.objects.locked(key.business)  # waits for a concurrent suspension
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    if key.status != KeyStatus.DISABLED:
        raise WrongStatus(_("The key “%(name)s” is not disabled.") % {"name": key.name})
    if blockers := keys.grant_blockers(key.grant):
        raise NotReady(_("You cannot enable this key now."), blockers=blockers)
    key.enabled_at = clock.now()
    return keys.move(key, KeyStatus.ACTIVE, by=by)
