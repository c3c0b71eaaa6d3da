"""Suspend, restore and close the access of a business; the API checks it on every request."""

from django.db import transaction
from django.utils.translation import gettext as _

from apikeys.keys import keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey, Grant
from console.accounts import access, businesses
from console.accounts.lifecycle import Access
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.core.refusals import NotReady
from console.events import outbox as events
from onboarding.matches.models import MatchDecision


@transaction.atomic
def suspend(business: Business, *, reason: str, by: User) -> Business:
    """Suspend a business, which stops all its keys without changing keys or grants."""
    business = _held(business, Permission.ACCESS_SUSPEND, by)
    businesses.move(business, Access.SUSPENDED, by=by, reason=reason)
    events.publish("access.suspended", business, business=business.public_id)
    return business


@transaction.atomic
def restore(business: Business, *, reason: str, by: User) -> Business:
    """Restore a suspended business, so its keys work again."""
    business = _held(business, Permission.ACCESS_SUSPEND, by)
    confirmed = MatchDecision.objects.filter(
        confirmed=True, match__entry__gone=None, decided_check__application__business=business
    )
    if confirmed.exists():
        raise NotReady(
            _("Two reviewers confirmed a match with a sanctions list, which is still in force.")
        )
    businesses.move(business, Access.ACTIVE, by=by, reason=reason)
    events.publish("access.restored", business, business=business.public_id)
    return business


@transaction.atomic
def close(business: Business, *, reason: str, by: User) -> Business:
    """Close a business permanently and revoke all its keys."""
    business = _held(business, Permission.ACCESS_CLOSE, by)
    businesses.move(business, Access.CLOSED, by=by, reason=reason)
    # Issuing a key locks its grant, so locking the grants first leaves no key out.
    list(Grant.objects.all_locked(business))
    for key in ApiKey.objects.all_locked(business):
        keys.move(key, KeyStatus.REVOKED, by=by, reason="business_closed")
    events.publish("access.closed", business, business=business.public_id)
    return business


def _held(business: Business, permission: Permission, by: User) -> Business:
    """Return the locked business if this staff member may decide about it; refuse otherwise."""
    access.require(by, permission)
    access.require_outsider(by, business)
    return Business.objects.locked(business)
