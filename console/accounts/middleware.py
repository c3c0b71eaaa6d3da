"""Session time limits, idle and total (ASVS 7.3.1, 7.3.2), and the redirect to sign-in."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib import auth, messages
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext, gettext_noop
from django_htmx.http import HttpResponseClientRefresh

from console.accounts import access, stepup
from console.accounts.models import User
from console.core import clock, routes
from console.core.middleware import GetResponse
from console.shell import page_refresh
from console.shell.views import errors

# Idle and total limits.
STAFF = (timedelta(minutes=15), timedelta(hours=12))
BUSINESS = (timedelta(minutes=30), timedelta(hours=24))
# Update `seen_at` at most this often, to avoid an UPDATE for each page.
SEEN_EVERY = timedelta(seconds=60)
RAN_OUT = gettext_noop(
    "You were signed out because your session was open or idle for too long. Your saved answers "
    "are not lost."
)


class SignInFirstMiddleware(LoginRequiredMiddleware):
    """Redirects anonymous users to sign-in, and shows a submitted form again with its values."""

    def handle_no_permission(  # type: ignore[override]  # the stubs know a redirect alone
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        if errors.keeps_its_form(request):
            return errors.send_again(request)
        if said := request.META.get("console.ran_out"):
            messages.warning(request, gettext(said))
        if page_refresh.is_asked_by_page(request):
            return HttpResponseClientRefresh()
        return super().handle_no_permission(request, view_func)


class SessionClockMiddleware:
    """Signs users out whose session has expired, or whose role at the provider has ended."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if routes.is_api(request):
            return self.get_response(request)
        if isinstance(request.user, User) and _has_run_out(request, request.user):
            auth.logout(request)
            request.META["console.ran_out"] = RAN_OUT
        elif isinstance(request.user, User) and _has_left(request, request.user):
            auth.logout(request)
        return self.get_response(request)


def _has_left(request: HttpRequest, user: User) -> bool:
    if not stepup.by_provider(request):
        return False
    from console.accounts import provider_sessions  # with its library, only where it is used

    return provider_sessions.has_left(request, user)


def _has_run_out(request: HttpRequest, user: User) -> bool:
    now = clock.now()
    began = _moment(request, "began_at", now)
    seen = _moment(request, "seen_at", now)
    if now - seen < SEEN_EVERY and now - began < SEEN_EVERY:
        return False
    idle, in_all = STAFF if access.is_staff(user) else BUSINESS
    if now - seen > idle or now - began > in_all:
        return True
    if now - seen >= SEEN_EVERY and not page_refresh.is_asked_by_page(request):
        request.session["seen_at"] = now.isoformat()
    return False


def _moment(request: HttpRequest, name: str, default: datetime) -> datetime:
    kept = request.session.get(name)
    if kept is None:
        request.session[name] = default.isoformat()
    return datetime.fromisoformat(kept) if kept else default
