"""Page access policy: every view carries one of four decorators, which check access.

`@public_page()`, `@person_page()`, `@business_page(Permission.X)` and `@staff_page(Permission.X)`.

A page the user may not see is a 404. An action they may see but not do is refused with the reason.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import access, factors, members, provider_accounts, stepup
from console.accounts.http import ConsoleRequest
from console.accounts.models import Invitation, Membership
from console.accounts.roles import NEEDS_SECOND_FACTOR, Permission, Role, holders
from console.audit import context
from console.core import page_policies
from console.core.page_policies import PagePolicy, PageView
from console.core.refusals import NotAllowed
from console.shell.safe_redirects import onward_to, way_back

Methods = tuple[str, ...]
Decorator = Callable[[PageView], PageView]


def public_page(
    *,
    methods: Methods = ("GET",),
    by_program: bool = False,
    largest_body: int = PagePolicy.largest_body,
) -> Decorator:
    """Allow everyone, signed in or not: view(request, ...)."""
    policy = PagePolicy("public", methods, by_program=by_program, largest_body=largest_body)
    return _policy(policy, lambda request, kwargs: None)


def person_page(*, methods: Methods = ("GET",), step_up: int = 0) -> Decorator:
    """Allow every signed-in user: view(request, ...)."""
    return _policy(PagePolicy("person", methods, step_up=step_up), lambda request, kwargs: None)


def business_page(
    permission: Permission,
    *,
    methods: Methods = ("GET",),
    step_up: int | bool = 0,
    largest_body: int = PagePolicy.largest_body,
) -> Decorator:
    """Allow members of the business in the URL: view(request, business, ...)."""
    policy = PagePolicy(
        "business",
        methods,
        permission,
        _minutes(step_up),
        second_factor=permission in NEEDS_SECOND_FACTOR,
        largest_body=largest_body,
    )
    return _policy(policy, _enter_business)


def staff_page(
    permission: Permission,
    *,
    methods: Methods = ("GET",),
    step_up: int | bool = 0,
) -> Decorator:
    """Allow our staff; for everyone else the page is a 404: view(request, ...)."""
    policy = PagePolicy("staff", methods, permission, _minutes(step_up))
    return _policy(policy, partial(_enter_as_staff, policy))


def _minutes(step_up: int) -> int:
    return stepup.MINUTES if step_up is True else int(step_up)


Entrance = Callable[[ConsoleRequest, dict[str, Any]], HttpResponseBase | None]


def _policy(policy: PagePolicy, enter: Entrance) -> Decorator:
    """Return a decorator that checks method, entrance, permission, second factor and step-up."""

    def decorate(view: PageView) -> PageView:
        @page_policies.declared(policy)
        @wraps(view)
        def checked_view(request: ConsoleRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if answer := enter(request, kwargs):
                return answer
            if policy.permission and not access.allows(
                request.roles, Permission(policy.permission)
            ):
                raise NotAllowed(_who_may(Permission(policy.permission)))
            if policy.second_factor and not _is_verified(request):
                # Users who signed in just before they set up their second factor have not used it.
                has_one = factors.has_second_factor(request.user)
                return (confirm_first if has_one else _set_up_first)(request, policy)
            if policy.step_up and not stepup.is_fresh(request, policy.step_up):
                return confirm_first(request, policy)
            if not page_policies.safe(request):
                stepup.release(request)
            return view(request, *args, **kwargs)

        return checked_view

    return decorate


def _enter_business(request: ConsoleRequest, kwargs: dict[str, Any]) -> HttpResponseBase | None:
    """Let members of the business in. Redirect invited users to their invitation."""
    named = {"business__public_id": kwargs.pop("business_id")}
    held = Membership.objects.filter(user=request.user, **named).select_related("business")
    if not held:
        invitation = Invitation.objects.waiting_for(request.user).filter(**named).first()
        if invitation is None:
            raise Http404
        return redirect("accounts:invitation", members.invitation_token(invitation))
    _as(request, frozenset(Role(one.role) for one in held))
    business = held[0].business
    assert business is not None, "found by the business's ID"
    kwargs["business"] = request.business = business
    return None


def _enter_as_staff(
    policy: PagePolicy, request: ConsoleRequest, kwargs: dict[str, Any]
) -> HttpResponseBase | None:
    roles = access.roles_of(request.user)
    if not roles:
        raise Http404
    _as(request, roles)
    if _must_use_provider(request):
        if not page_policies.safe(request):
            raise provider_accounts.other_way_refused()
        return redirect(onward_to("accounts:provider", request.get_full_path()))
    if _is_verified(request):
        return None
    if factors.has_second_factor(request.user):  # the factor of this session was removed
        return confirm_first(request, policy)
    messages.warning(
        request,
        _("Staff must sign in with a second factor. Set up an authenticator app or a passkey."),
    )
    return redirect("accounts:authenticator")


def admits_staff(request: ConsoleRequest) -> bool:
    """Tell whether this session began as staff pages require, and proved a second factor."""
    return not _must_use_provider(request) and _is_verified(request)


def _must_use_provider(request: ConsoleRequest) -> bool:
    return not settings.STAFF_PASSWORDS and not stepup.by_provider(request)


def _is_verified(request: ConsoleRequest) -> bool:
    """Tell whether the user proved a second factor in this session."""
    return bool(request.user.is_verified())  # type: ignore[attr-defined]  # set by django-otp


def _as(request: ConsoleRequest, roles: frozenset[Any]) -> None:
    request.roles = roles
    context.current().roles = tuple(sorted(str(role) for role in roles))


def _set_up_first(request: ConsoleRequest, policy: PagePolicy) -> HttpResponseBase:
    """Redirect to authenticator set-up, and from there back to this page."""
    if page_policies.safe(request):
        messages.info(
            request, _("This requires a second factor. Set up an authenticator app or a passkey.")
        )
    back = _way_to_return(request, policy, first=_("set up an authenticator app or a passkey"))
    return redirect(onward_to("accounts:authenticator", back))


def confirm_first(request: ConsoleRequest, policy: PagePolicy) -> HttpResponseBase:
    """Redirect to re-authentication, and from there back to this page.

    Not directly to the provider: browsers do not follow a form to another site (`form-action`).
    """
    onward = _way_to_return(request, policy, first=_("confirm it is you"))
    return redirect(onward_to("accounts:confirm", onward))


def _way_to_return(request: ConsoleRequest, policy: PagePolicy, *, first: str) -> str:
    """Return the page to come back to afterwards; for a form, the page that submits it again."""
    if page_policies.safe(request):
        return request.get_full_path()
    if stepup.hold(request):
        said = _("Nothing was changed yet: %(first)s, and we finish what you started.")
        messages.warning(request, said % {"first": first})
        return reverse("accounts:resume")
    said = _("Nothing was changed yet: %(first)s, then try again.")
    messages.warning(request, said % {"first": first})
    has_page = "GET" in policy.methods
    return request.get_full_path() if has_page else way_back(request) or reverse("shell:home")


def _who_may(permission: Permission) -> str:
    names = [role.label.lower() for role in holders(permission)]
    said = ", ".join(names)
    return _("Your role does not include this. You need one of these roles: %(roles)s.") % {
        "roles": said
    }
