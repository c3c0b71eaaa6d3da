"""Registering and renaming a business, and changing its status."""

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.lifecycle import LIFECYCLE, Access
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Permission, Role
from console.audit import log as audit
from console.core import clock
from console.core.refusals import NotAllowed, Refused, Stale
from console.events import outbox as events

MOST = 20


@transaction.atomic
def register(name: str, *, by: User) -> Business:
    """Create a business, owned by the user who registers it. Sent twice, there is still one."""
    User.objects.locked(by)
    if Business.objects.of(by).filter(name__iexact=name).exists():
        raise Refused(
            _(
                "You already belong to a business called %(name)s. Open it from your start page, "
                "or choose another name."
            )
            % {"name": name}
        )
    if Business.objects.of(by).count() >= MOST:
        raise Refused(
            _("You already belong to %(most)d businesses. Write to us to add more.")
            % {"most": MOST}
        )
    business = Business.objects.create(name=name)
    Membership.objects.create(user=by, business=business, role=Role.OWNER)
    audit.record("business.registered", business, by=by, business=business, after={"name": name})
    events.publish("business.registered", business)
    return business


@transaction.atomic
def rename(business: Business, name: str, *, by: User) -> Business:
    """Change a business's name in the console; documents use the legal name from its answers."""
    business = Business.objects.locked(business)
    access.require(by, Permission.BUSINESS_EDIT, business)
    was, business.name = business.name, name
    business.save(update_fields=["name"])
    audit.record(
        "business.renamed", business, by=by, business=business,
        before={"name": was}, after={"name": name},
    )  # fmt: skip
    return business


@transaction.atomic
def set_account_manager(
    business: Business, person: User | None, *, seen: str | None = None, by: User
) -> Business:
    """Say who on our staff looks after a business; None takes it from whoever did.

    `seen` is the id of the manager that the page showed, or "". Raises Stale if it has changed.
    """
    business = Business.objects.locked(business)
    access.require(by, Permission.ACCOUNT_MANAGE)
    if person is not None:
        if not access.can(person, Permission.ACCOUNT_MANAGE):
            raise NotAllowed(_("Choose one of our account managers."))
        access.require_outsider(person, business)
    was, business.account_manager = business.account_manager, person
    if was != person and seen not in (None, was.public_id if was else ""):
        raise Stale(_("Somebody changed the account manager after you opened this page."))
    business.save(update_fields=["account_manager"])
    audit.record(
        "business.account_manager_set", business, by=by, business=business,
        before={"person": was.public_id if was else ""},
        after={"person": person.public_id if person else ""},
    )  # fmt: skip
    if person not in (None, was):
        events.publish("business.account_manager_set", business, by=by.public_id)
    return business


def move(business: Business, to: Access, *, by: Actor, reason: str) -> Business:
    """Change the status of a locked business and log it. The caller publishes the event."""
    was = business.status
    LIFECYCLE.check(was, to)
    business.status, business.status_changed_at = to, clock.now()
    business.save(update_fields=["status", "status_changed_at"])
    audit.record(
        f"business.{to}", business, by=by, business=business,
        before={"status": was}, after={"status": str(to)}, reason=reason,
    )  # fmt: skip
    return business
