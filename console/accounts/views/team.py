"""Pages to list, invite, change and remove members, and to accept an invitation."""

from itertools import groupby

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts import access, factors, members
from console.accounts.forms import InviteForm, RolesForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, Invitation, Membership, User
from console.accounts.models.folded import NameOrder
from console.accounts.page_access import business_page, person_page, public_page
from console.accounts.roles import Permission, Role
from console.accounts.views.sign_in import signing_in_for
from console.core import pages_above
from console.core.folding import likeness
from console.core.text import isolated
from console.shell.forms import attempt, posted
from console.shell.safe_redirects import onward_to


@business_page(Permission.BUSINESS_VIEW)
def team(request: ConsoleRequest, business: Business) -> HttpResponse:
    rows = Membership.objects.filter(business=business).select_related("user")
    ordered = rows.order_by(NameOrder("user__name"), "user_id", "pk")
    page = {
        "business": business,
        "people": [(person, list(held)) for person, held in groupby(ordered, lambda m: m.user)],
        "invitations": [
            (invitation, members.may_give(request.roles, Role(invitation.role)))
            for invitation in Invitation.objects.open().filter(business=business).order_by("-pk")
        ],
        "may_manage": access.allows(request.roles, Permission.MEMBER_MANAGE),
    }
    return render(request, "accounts/team.html", page)


@business_page(Permission.MEMBER_MANAGE, methods=("GET", "POST"), step_up=True)
def invite(request: ConsoleRequest, business: Business) -> HttpResponse:
    form = InviteForm(posted(request))
    if form.is_valid():
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        if attempt(form, lambda: members.invite(business, email=email, role=role, by=request.user)):
            messages.success(request, _("We sent the invitation to %(email)s.") % {"email": email})
            return redirect("accounts:team", business.public_id)
    return render(request, "accounts/invite.html", {"form": form, "business": business})


@business_page(Permission.MEMBER_MANAGE, methods=("GET", "POST"), step_up=True)
def member(request: ConsoleRequest, business: Business, person_id: str) -> HttpResponse:
    person = _member(business, person_id)
    held = sorted(access.roles_of(person, business))
    form = RolesForm(posted(request), initial={"roles": held, "seen": " ".join(held)})
    if form.is_valid():
        roles, seen = map(Role, form.cleaned_data["roles"]), form.cleaned_data["seen"].split()
        attempt(
            form, lambda: members.set_roles(business, person, roles, seen=seen, by=request.user)
        )
        if form.is_valid():
            messages.success(
                request,
                _("The roles of %(name)s are saved. They apply now.")
                % {"name": isolated(person.name)},
            )
            return redirect("accounts:team", business.public_id)
    page = {"form": form, "business": business, "person": person}
    return render(request, "accounts/member.html", page)


@business_page(Permission.MEMBER_MANAGE, methods=("POST",), step_up=True)
def remove(request: ConsoleRequest, business: Business, person_id: str) -> HttpResponse:
    person = _member(business, person_id)
    members.set_roles(business, person, [], by=request.user)
    messages.success(
        request,
        _("%(name)s no longer has access to %(business)s.")
        % {"name": isolated(person.name), "business": isolated(business.name)},
    )
    if person == request.user:
        return redirect("shell:home")
    return redirect("accounts:team", business.public_id)


@business_page(Permission.MEMBER_MANAGE, methods=("POST",))
def withdraw(request: ConsoleRequest, business: Business, invitation_id: str) -> HttpResponse:
    rows = Invitation.objects.filter(business=business).select_related("business")
    invitation = get_object_or_404(rows, public_id=invitation_id)
    members.withdraw_invitation(invitation, by=request.user)
    messages.success(
        request, _("The invitation to %(email)s is withdrawn.") % {"email": invitation.email}
    )
    return redirect("accounts:team", business.public_id)


@public_page()
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation. Accepting it requires an account with the invited address."""
    if isinstance(request.user, User) and (joined := members.accepted_before(token, request.user)):
        return redirect(pages_above.address("business_home", joined.public_id))
    found = members.find_invitation(token)
    page = {
        "invitation": found,
        "token": token,
        "sign_in": signing_in_for(request.path),
        "likeness": _likeness(found, request.user),
    }
    return render(request, "accounts/invitation.html", page)


@person_page(methods=("POST",))
def accept(request: ConsoleRequest, token: str) -> HttpResponse:
    """Join, and redirect to the business. Signatories set up an authenticator first."""
    if joined := members.accepted_before(token, request.user):
        return redirect(pages_above.address("business_home", joined.public_id))
    membership = members.accept(token, by=request.user)
    assert membership.business is not None
    here = pages_above.address("business_home", membership.business.public_id)
    messages.success(
        request,
        _("You now work for %(business)s.") % {"business": isolated(membership.business.name)},
    )
    if membership.role == Role.SIGNATORY and not factors.has_second_factor(request.user):
        messages.info(
            request, _("Signing requires an authenticator app or a passkey. Set one up now.")
        )
        return redirect(onward_to("accounts:authenticator", here))
    return redirect(here)


def _likeness(invitation: Invitation, person: User | AnonymousUser) -> str:
    """Return how alike the named signatory and the account's name are, or "" if it is no matter."""
    if not invitation.name or getattr(person, "email", "") != invitation.email:
        return ""
    return str(likeness(invitation.name, str(getattr(person, "name", ""))))


def _member(business: Business, person_id: str) -> User:
    people = User.objects.filter(membership__business=business).distinct()
    return get_object_or_404(people, public_id=person_id)
