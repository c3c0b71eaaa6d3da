"""Issue, rename, narrow, revoke and expire keys."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from apikeys import secrets
from apikeys.keys import issue_conditions
from apikeys.lifecycle import HELD, KEY_LIFECYCLE, Environment, KeyStatus
from apikeys.models import ApiKey, Grant
from apikeys.secrets import Minted
from console.accounts import access, business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock, text
from console.core.links import refuse_web_address
from console.core.refusals import AlreadyDone, Blocker, NotReady, Refused, WrongStatus
from console.events import outbox as events

# Maximum number of keys of a business in one environment.
MOST = 20
# Maximum lifetime of a key.
LONGEST = timedelta(days=365)


class CannotIssue(NotReady):
    """A condition for a new key is not met."""


class NotInTheGrant(Refused):
    """The requested scopes or lifetime exceed the grant or the key."""

    code = "not_in_the_grant"


@transaction.atomic
def issue(
    grant: Grant,
    *,
    name: str,
    scopes: Iterable[str],
    expires_at: datetime,
    once: str = "",
    by: User,
) -> tuple[ApiKey, Minted]:
    """Issue a key within the grant, and return it with its secret, which is shown once.

    `once` comes from the form, so a form that is sent twice creates one key.
    """
    Business.objects.locked(grant.business)  # waits for a concurrent suspension
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.KEY_ISSUE, grant.business)
    if once and grant.keys.filter(once=once).exists():
        raise AlreadyDone(
            _(
                "You have already created this key, and we showed its secret once. If nobody "
                "stored it, create another key. We revoke the unused one after 15 minutes."
            )
        )
    if blockers := issue_blockers(grant):
        raise CannotIssue(_("You cannot create a key yet."), blockers=blockers)
    wanted = _within(grant, scopes)
    _check_life(expires_at)

    minted = secrets.mint(Environment(grant.environment))
    key = ApiKey.objects.create(
        public_id=minted.key_id,
        grant=grant,
        name=_told_name(name),
        scopes=wanted,
        digest=minted.digest,
        pepper=minted.pepper,
        issued_at=clock.now(),
        issued_by=by,
        once=once or secrets.token(),
        expires_at=expires_at,
    )
    _pin(grant)
    announce(key, "key.created", by=by, scopes=wanted, expires_at=clock.iso(expires_at))
    return key, minted


@transaction.atomic
def note_stored(key: ApiKey, *, seen: datetime | None = None, by: User) -> ApiKey:
    """Record that its owner stored the secret. Idempotent.

    `seen` is when the secret on the page was created. Raises WrongStatus if it no longer works.
    """
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    if key.status not in HELD or seen not in (None, key.secret_set_at):
        raise WrongStatus(
            _(
                "The secret of “%(name)s” that you stored no longer works: the key was revoked or "
                "rotated, or 15 minutes passed before you confirmed. Delete it, and create another."
            )
            % {"name": key.name}
        )
    if key.stored_at is None:
        key.stored_at = clock.now()
        key.save(update_fields=["stored_at"])
        audit.record("key.stored", key, by=by)
    return key


@transaction.atomic
def rename(key: ApiKey, name: str, *, by: User) -> ApiKey:
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    was, key.name = key.name, _told_name(name)
    key.save(update_fields=["name"])
    audit.record("key.renamed", key, by=by, before={"name": was}, after={"name": key.name})
    return key


@transaction.atomic
def narrow(key: ApiKey, scopes: Iterable[str], *, by: User) -> ApiKey:
    """Remove scopes from a key. Removed scopes cannot be restored; that needs a new key."""
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_ISSUE, key.business)
    require_held(key)
    was, left = key.scopes, sorted(set(scopes))
    if not left:
        raise NotInTheGrant(_("Keep at least one scope, or revoke the key."))
    if wider := set(left) - set(was):
        raise NotInTheGrant(
            _("The key does not have these scopes: %(scopes)s.")
            % {"scopes": ", ".join(sorted(wider))}
        )
    key.scopes = left
    key.save(update_fields=["scopes"])
    audit.record("key.narrowed", key, by=by, before={"scopes": was}, after={"scopes": left})
    return key


@transaction.atomic
def revoke(key: ApiKey, *, reason: str, by: User) -> ApiKey:
    """Revoke a key immediately."""
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.KEY_REVOKE, key.business)
    return move(key, KeyStatus.REVOKED, by=by, reason=reason)


@transaction.atomic
def expire(key: ApiKey, *, by: Actor) -> ApiKey:
    """Mark a key as expired. The API has refused it since `expires_at`."""
    key = ApiKey.objects.locked(key)
    if key.expires_at > clock.now():
        raise CannotExpire("This key's time has not run out.")
    return move(key, KeyStatus.EXPIRED, by=by)


class CannotExpire(Refused):
    """The key's expiry date has not passed."""


def expire_outlived() -> None:
    """Mark every key past its expiry date as expired."""
    for key in ApiKey.objects.outlived().iterator():
        expire(key, by=SYSTEM)


def move(key: ApiKey, to: KeyStatus, *, by: Actor, reason: str = "") -> ApiKey:
    """Change the status, and record and publish the change."""
    was = key.status
    set_status(key, to)
    news = {"was": str(was)} | ({"reason": reason} if reason else {})
    announce(key, f"key.{to}", by=by, news=news)
    return key


def set_status(key: ApiKey, to: KeyStatus) -> None:
    """Change the status without recording or publishing it; the caller does that."""
    KEY_LIFECYCLE.check(key.status, to)
    key.status = to
    key.ended_at = clock.now() if to in KEY_LIFECYCLE.final else None
    key.save()


def require_held(key: ApiKey) -> None:
    """Refuse a change to a key that has ended."""
    if key.status not in HELD:
        raise WrongStatus(
            _("The key “%(name)s” has this status: %(status)s.")
            % {"name": key.name, "status": key.get_status_display().lower()}
        )


def issue_blockers(grant: Grant) -> list[Blocker]:
    """Return why no key can be created in this grant now."""
    found = [*grant_blockers(grant), *issue_conditions.blockers(grant)]
    if grant.keys.held().count() >= MOST:
        found.append(
            Blocker(
                "too_many",
                _("You have reached the limit of %(most)s keys. Revoke one that you do not use.")
                % {"most": MOST},
            )
        )
    return found


def grant_blockers(grant: Grant) -> list[Blocker]:
    """Return why this grant can get no new secrets now: the business or the grant is not active."""
    found = business_access.blockers(grant.business)
    if not grant.is_open:
        message = _("The %(environment)s environment has this status: %(status)s.") % {
            "environment": grant.environment,
            "status": grant.get_status_display().lower(),
        }
        found.append(Blocker("grant", message))
    return found


def _told_name(name: str) -> str:
    """Return the name as stored; refuse web addresses, since e-mails to the contact include it."""
    kept = text.clean(name)
    refuse_web_address(kept)
    return kept


def _within(grant: Grant, scopes: Iterable[str]) -> list[str]:
    wanted = sorted(set(scopes))
    if not wanted:
        raise NotInTheGrant(_("Choose at least one scope."))
    if outside := set(wanted) - grant.scopes():
        raise NotInTheGrant(
            _("Your API access does not include these scopes: %(scopes)s.")
            % {"scopes": ", ".join(sorted(outside))}
        )
    return wanted


def _check_life(expires_at: datetime) -> None:
    now = clock.now()
    if not now < expires_at <= now + LONGEST:
        raise NotInTheGrant(
            _("Choose an expiry date within the next %(days)s days.") % {"days": LONGEST.days}
        )


def _pin(grant: Grant) -> None:
    """Pin the business to the current API version when it gets its first key."""
    if not grant.api_version:
        grant.api_version = settings.API_VERSION
        grant.save(update_fields=["api_version"])


def announce(
    key: ApiKey, code: str, *, by: Actor, news: Mapping[str, str] | None = None, **details: Any
) -> None:
    """Record and publish `code`. `news` goes to log and event, `details` to the audit log only."""
    told: dict[str, Any] = {"environment": key.environment, **(news or {})}
    audit.record(code, key, by=by, name=key.name, **told, **details)
    events.publish(code, key, business=key.business.public_id, **told)
