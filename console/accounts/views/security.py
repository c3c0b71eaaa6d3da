"""The user's own account: authenticator, recovery codes, passkeys and sessions."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.accounts import factors, passkeys, sessions, signin, stepup, user_agents
from console.accounts.forms import CodeForm, RenewCodesForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Authenticator, Passkey, ProviderAccount, Session
from console.accounts.page_access import person_page
from console.core import clock
from console.shell import qr_codes
from console.shell.forms import attempt, posted
from console.shell.safe_redirects import onward_to, way_on

# Session key for the id of the authenticator being set up.
_SETTING_UP = "setting_up"


@person_page()
def security(request: ConsoleRequest) -> HttpResponse:
    person, here = request.user, signin.stored_key(request)
    open_ = Session.objects.of(person).filter(expire_date__gt=clock.now())
    places = [(row, user_agents.in_words(row.agent), row.pk == here) for row in open_]
    waiting = person.email_changes.waiting().first()
    page = {
        "new_email": waiting.new_email if waiting else "",
        "now": clock.now(),
        "authenticator": factors.authenticator_of(person),
        "passkeys": person.passkeys.order_by("pk"),
        "accepted_passkeys": passkeys.accepted_signal(person),
        "codes_left": person.recovery_codes.filter(used_at=None).count(),
        "renewing": RenewCodesForm(initial={"replaces": factors.newest_recovery_code(person)}),
        "sessions": places,
    }
    return render(request, "accounts/security.html", page)


@person_page(methods=("GET", "POST"), step_up=10)
def authenticator(request: ConsoleRequest) -> HttpResponse:
    """Show the seed to scan, check the first code, and redirect back."""
    person, onward = request.user, way_on(request, "")
    # The page that led here may require the app, so cancelling must not return to it.
    page = {"onward": onward, "back": reverse("shell:home" if onward else "accounts:security")}
    app = factors.being_set_up(person, _begun(request))
    if app is None:
        has_one = factors.authenticator_of(person) is not None
        begin = page | {"replaces": has_one}
        return render(request, "accounts/authenticator_begin.html", begin)
    form = CodeForm(posted(request))
    if form.is_valid() and (codes := _finish(request, form)):
        return show_once(request, codes, first=True, onward=onward)
    return render(request, "accounts/authenticator.html", page | {"form": form, **_shown(app)})


def _finish(request: ConsoleRequest, form: CodeForm) -> list[str] | None:
    """Check the first code. Return the recovery codes, or add an error to the form."""
    person, code, here = request.user, form.cleaned_data["code"], signin.stored_key(request)
    finish = partial(
        factors.finish_set_up,
        person,
        _begun(request),
        code,
        by=person,
        recovered=stepup.method(request) == "recovery",
        keep_session=here,
    )
    codes = attempt(form, finish, on="code")
    app = factors.authenticator_of(person) if codes else None
    used = person.otp_device  # type: ignore[attr-defined]  # set by django-otp
    # The app replaces another app, but not the passkey or provider account that was used.
    if app and not isinstance(used, Passkey | ProviderAccount):
        signin.adopt(request, app, by="code")
    return codes


def _begun(request: ConsoleRequest) -> str:
    """Return the id of the authenticator that this session is setting up, or ""."""
    return str(request.session.get(_SETTING_UP, ""))


def _shown(app: Authenticator) -> dict[str, str]:
    return {"seed": factors.seed_text(app), "qr": qr_codes.svg(factors.seed_uri(app))}


@person_page(methods=("POST",), step_up=10)
def begin_authenticator(request: ConsoleRequest) -> HttpResponse:
    begun = factors.begin_set_up(request.user, by=request.user)
    request.session[_SETTING_UP] = begun.public_id
    return redirect(onward_to("accounts:authenticator", way_on(request, "")))


@person_page(methods=("POST",), step_up=10)
def recovery_codes(request: ConsoleRequest) -> HttpResponse:
    here = signin.stored_key(request)
    form = RenewCodesForm(request.POST)
    replaces = form.cleaned_data["replaces"] if form.is_valid() else None
    codes = factors.renew_recovery_codes(
        request.user, replaces=replaces, by=request.user, keep_session=here
    )
    return show_once(request, codes, first=False)


@person_page(methods=("POST",))
def end_others(request: ConsoleRequest) -> HttpResponse:
    here = signin.stored_key(request)
    ended = sessions.end_sessions(request.user, by=request.user, keep=here)
    messages.success(
        request,
        ngettext("Signed out of %d other session.", "Signed out of %d other sessions.", ended)
        % ended,
    )
    return redirect("accounts:security")


@person_page(methods=("POST",))
def end_all(request: ConsoleRequest) -> HttpResponse:
    sessions.end_sessions(request.user, by=request.user)
    signin.leave(request)
    messages.success(request, _("You are signed out everywhere."))
    return redirect("accounts:sign_in")


@person_page(methods=("POST",))
def end_one(request: ConsoleRequest, session_id: str) -> HttpResponse:
    if not sessions.end_session(request.user, session_id, by=request.user):
        raise Http404
    messages.success(request, _("That session is ended."))
    return redirect("accounts:security")


def show_once(
    request: ConsoleRequest, codes: list[str], *, first: bool, onward: str = ""
) -> HttpResponse:
    """Show new recovery codes, which are not shown again."""
    page = {"codes": codes, "first": first, "text": "\n".join([*codes, ""]), "onward": onward}
    return render(request, "accounts/recovery_codes.html", page)
