"""Staff accounts at the OpenID provider: linking them, and the roles that its groups give.

An account is known by issuer and subject. Only its first sign-in looks at the e-mail address, which
the provider must have verified, and never takes over the account of somebody who works for a
business. Groups take only the roles that they gave, never one that was given by command.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, address_holders, factors, sessions, staff
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import ProviderAccount, User
from console.accounts.roles import STAFF, Role
from console.audit import log as audit
from console.core import clock, text
from console.core.refusals import NotAllowed

_LEFT = "The OpenID provider no longer lists this person in the group."
_OBJECTED = "The owner of this person's former e-mail address objected to the new one."
_LISTED = "The OpenID provider lists this person in the group."


class SignOnRefused(NotAllowed):
    """The provider's answer signs nobody in."""

    code = "sign_on_refused"


@dataclass(frozen=True)
class ProviderIdentity:
    """What the provider says about a person. `email` is empty unless the provider verified it."""

    issuer: str
    subject: str
    email: str
    name: str
    groups: frozenset[str]


def require_settings() -> None:
    """Refuse to start with groups for unknown roles, or if staff could not sign in safely."""
    for pair in settings.OIDC_ROLE_GROUPS:
        if len(pair) != 2 or pair[1] not in STAFF:
            raise ImproperlyConfigured(f"OIDC_ROLE_GROUPS: {pair} is not a group=role of staff.")
    if not settings.STAFF_PASSWORDS and not settings.OIDC_ISSUER:
        raise ImproperlyConfigured("STAFF_PASSWORDS=0 needs OIDC_ISSUER: staff could not sign in.")
    if settings.OIDC_ISSUER and not (settings.OIDC_CLIENT_ID and settings.OIDC_CLIENT_SECRET):
        raise ImproperlyConfigured("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.")
    if settings.HTTPS and settings.OIDC_ISSUER.startswith("http://"):
        raise ImproperlyConfigured("OIDC_ISSUER must begin with https://, unless HTTPS=0.")


def must_use_provider(person: User) -> bool:
    """Tell whether this user may sign in through the provider only, even if there is none now."""
    is_linked = ProviderAccount.objects.filter(user=person).exists()
    return is_linked or (not settings.STAFF_PASSWORDS and access.is_staff(person))


def other_way_refused() -> SignOnRefused:
    """Return the refusal for somebody of our staff who did not use the provider."""
    if not settings.OIDC_ISSUER:
        return SignOnRefused(
            _(
                "You sign in with your company account, which cannot be used now. Ask an operator "
                "to unlink it."
            )
        )
    return SignOnRefused(_("Our staff sign in with their company account. Go back and choose it."))


def account_for(identity: ProviderIdentity) -> ProviderAccount:
    """Return the account of a person whom the provider signed in, with their present roles."""
    account = _known_or_linked(identity)
    renew_roles(account, identity.groups)
    return account


def renew_roles(account: ProviderAccount, groups: Iterable[str]) -> None:
    """Apply the groups that were just read, and refuse a person who then has no role."""
    if account.user.is_active:
        apply_groups(account, groups, by=SYSTEM)
    if not account.user.is_active or not access.is_staff(account.user):
        raise _no_role()


@transaction.atomic
def apply_groups(account: ProviderAccount, groups: Iterable[str], *, by: Actor) -> None:
    """Give the roles of these groups, and take those that earlier groups gave."""
    User.objects.locked(account.user)  # serialise concurrent requests of this user
    account = ProviderAccount.objects.get(pk=account.pk)
    wanted, earlier = _roles_of(groups), {Role(role) for role in account.roles}
    given = wanted - access.roles_of(account.user)
    for role in earlier - wanted:
        staff.take_role(account.user, role, by=by, because=_LEFT)
    for role in given:
        staff.give_role(account.user, role, by=by, because=_LISTED)
    _keep_roles(account, (earlier & wanted) | given)


@transaction.atomic
def give_by_command(person: User, role: Role, *, by: Actor, because: str = "") -> None:
    """Give a staff role that no group takes."""
    User.objects.locked(person)  # serialise with `apply_groups`
    staff.give_role(person, role, by=by, because=because)
    if account := ProviderAccount.objects.filter(user=person).first():
        _keep_roles(account, {Role(one) for one in account.roles} - {role})


@transaction.atomic
def unlink(person: User, *, by: Actor, because: str) -> bool:
    """Remove a person's provider account and the roles that its groups gave. End their sessions.

    Second factors that are less than a day old go too: somebody else may have signed in there.
    """
    User.objects.locked(person)  # serialise with `apply_groups`
    account = ProviderAccount.objects.filter(user=person).first()
    if account is None:
        return False
    factors.remove_new(person, since=clock.now(), by=by)
    _unlink(account, by=by, because=because)
    return True


def unlink_new(person: User, *, since: datetime, by: Actor) -> None:
    """Unlink a locked user whom somebody linked to the provider since then."""
    for account in ProviderAccount.objects.filter(user=person, created_at__gt=since):
        _unlink(account, by=by, because=_OBJECTED)


def _unlink(account: ProviderAccount, *, by: Actor, because: str) -> None:
    person = account.user
    for role in account.roles:
        staff.take_role(person, Role(role), by=by, because=because)
    account.delete()
    audit.record("person.unlinked_provider", person, by=by, issuer=account.issuer, because=because)
    sessions.end_sessions(person, by=by)


def _keep_roles(account: ProviderAccount, roles: set[Role]) -> None:
    """Store which roles groups gave."""
    kept = sorted(str(role) for role in roles)
    if account.roles != kept:
        account.roles = kept
        account.save(update_fields=["roles"])


def _roles_of(groups: Iterable[str]) -> set[Role]:
    held = set(groups)
    return {Role(role) for group, role in settings.OIDC_ROLE_GROUPS if group in held}


@transaction.atomic
def _known_or_linked(identity: ProviderIdentity) -> ProviderAccount:
    known = ProviderAccount.objects.select_related("user")
    found: ProviderAccount | None = known.filter(
        issuer=identity.issuer, subject=identity.subject
    ).first()
    if found is not None:
        return found
    if not identity.email:
        raise SignOnRefused(_("Your company account has no e-mail address that was verified."))
    address_holders.lock(identity.email)
    person = address_holders.confirmed(identity.email)
    if person is None:
        person = _new_person(identity)
    elif not _may_link(person):
        raise SignOnRefused(
            _("An account with your e-mail address exists here, and is not for our staff.")
        )
    account: ProviderAccount = ProviderAccount.objects.create(
        user=person, name="OpenID provider", issuer=identity.issuer, subject=identity.subject
    )
    audit.record("person.linked_provider", person, by=SYSTEM, issuer=identity.issuer)
    # They began without the provider, which would not end them.
    sessions.end_sessions(person, by=SYSTEM)
    return account


def _new_person(identity: ProviderIdentity) -> User:
    """Create a user without a password, if a group gives them a role."""
    if not _roles_of(identity.groups):
        raise _no_role()
    address_holders.free(identity.email)
    name = text.keepable(identity.name)[:200] or identity.email
    person = User.objects.create_user(identity.email, name=name)
    person.email_confirmed_at = clock.now()
    person.save(update_fields=["email_confirmed_at"])
    return person


def _may_link(person: User) -> bool:
    """Tell whether this is an active account of our staff alone that is not linked yet."""
    works_elsewhere = person.membership_set.exclude(business=None).exists()
    is_linked = ProviderAccount.objects.filter(user=person).exists()
    may = person.is_active and access.is_staff(person)
    return may and not works_elsewhere and not is_linked


def _no_role() -> SignOnRefused:
    return SignOnRefused(_("Your company account is in no group that gives a role here."))
