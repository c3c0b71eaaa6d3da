"""Pages to sign in, give a second factor, sign out and re-authenticate."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts import factors, passkey_sign_in, passkeys, signin, stepup
from console.accounts.forms import CodeForm, ConfirmPasswordForm, SignInForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import User
from console.accounts.page_access import person_page, public_page
from console.shell.forms import posted
from console.shell.safe_redirects import onward_to, way_on

WRONG = gettext_lazy("That e-mail address and password do not match. Check both and try again.")
WRONG_CODE = gettext_lazy(
    "That code did not work. Enter the six digits that your app shows now. If you have already "
    "used them, wait for the next ones. If it keeps failing, let your phone set its own clock."
)
WRONG_PASSKEY = gettext_lazy("We could not check that passkey. Try again, or use another way.")


@public_page(methods=("GET", "POST"))
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(way_on(request, reverse("shell:home")))
    if "credential" in request.POST:
        return _after_passkey(request, passkey_sign_in.SIGN_IN, way_on(request, ""))
    form = SignInForm(posted(request))
    if form.is_valid():
        person = signin.check_password(request, **form.cleaned_data)
        if person:
            return after_password(request, signin.go_on(request, person, to=way_on(request, "")))
        form.add_error(None, WRONG)
    page = {"form": form, "has_provider": settings.OIDC_ISSUER, "onward": way_on(request, "")}
    return render(request, "accounts/sign_in.html", page)


@public_page(methods=("GET", "POST"))
def code(request: HttpRequest) -> HttpResponse:
    waiting = signin.pending(request)
    if waiting is None and request.user.is_authenticated:
        # Pressed twice, or opened again with the browser's Back.
        return redirect("shell:home")
    if waiting is None:
        messages.info(request, _("Please sign in again: more than ten minutes have passed."))
        return redirect("accounts:sign_in")
    if "credential" in request.POST:
        return _after_passkey(request, passkey_sign_in.CODE, waiting[1])
    form = CodeForm(posted(request))
    if form.is_valid():
        if signin.check_code(request, form.cleaned_data["code"]):
            return redirect(waiting[1] or "shell:home")
        form.add_error("code", WRONG_CODE)
    return render(request, "accounts/code.html", {"form": form, **_ways_of(waiting[0])})


@public_page(methods=("POST",))
def passkey_options(request: HttpRequest, purpose: str) -> HttpResponse:
    """Return the options with which the browser uses a passkey, as JSON."""
    if purpose not in passkey_sign_in.USES:
        raise Http404
    options = passkey_sign_in.request_options(request, purpose)
    return HttpResponse(options, content_type="application/json")


def _after_passkey(request: HttpRequest, purpose: str, onward: str) -> HttpResponse:
    """Sign in or confirm with the passkey that was sent, or show the page again."""
    if passkey_sign_in.use(request, purpose):
        return redirect(onward or "shell:home")
    # A passkey that was removed: the page asks the browser not to offer it again.
    request.session["unknown_passkey"] = passkeys.unknown_signal(request.POST["credential"])
    messages.error(request, WRONG_PASSKEY)
    return redirect(request.get_full_path())


def _ways_of(person: User) -> dict[str, bool]:
    """Return which second factors a user has, for the pages that ask for one."""
    has_app = factors.authenticator_of(person) is not None
    return {"has_app": has_app, "has_passkey": person.passkeys.exists()}


@person_page(methods=("POST",))
def sign_out(request: ConsoleRequest) -> HttpResponse:
    signin.leave(request)
    messages.success(request, _("You are signed out."))
    return redirect("accounts:sign_in")


@person_page(methods=("GET", "POST"))
def confirm(request: ConsoleRequest) -> HttpResponse:
    """Re-authenticate, then return to the page that asked for it."""
    return (_confirm_at_provider if stepup.by_provider(request) else _confirm_here)(request)


def _confirm_here(request: ConsoleRequest) -> HttpResponse:
    by_code = factors.has_second_factor(request.user)
    form = (CodeForm if by_code else ConfirmPasswordForm)(posted(request))
    onward = way_on(request, reverse("shell:home"))
    if "credential" in request.POST:
        return _after_passkey(request, passkey_sign_in.CONFIRM, onward)
    if form.is_valid():
        if signin.confirm_again(request, request.user, form.cleaned_data["code"]):
            return redirect(onward)
        form.add_error(
            "code", WRONG_CODE if by_code else _("That is not your password. Try again.")
        )
    page = {"form": form, "by_code": by_code, "onward": onward}
    return render(request, "accounts/confirm.html", page | _ways_of(request.user))


def _confirm_at_provider(request: ConsoleRequest) -> HttpResponse:
    """Show the link to the provider, with which the session began; no other proof counts."""
    page = {"by_provider": True, "onward": way_on(request, reverse("shell:home"))}
    status = 403 if request.method == "POST" else 200
    return render(request, "accounts/confirm.html", page, status=status)


@person_page()
def resume(request: ConsoleRequest) -> HttpResponse:
    """Submit the form again that its user sent before they had to prove their identity."""
    form = stepup.held(request)
    if form is None:
        messages.info(request, _("There is nothing left to finish."))
        return redirect("shell:home")
    page = {"sent": form.fields, "action": form.path}
    return render(request, "accounts/resume.html", page)


def after_password(request: HttpRequest, step: str, onward: str = "") -> HttpResponse:
    """Redirect to the next sign-in step: confirm the address, enter a code, or the destination."""
    if step == "confirm":
        return redirect("accounts:check_mail")
    if step == "code":
        return redirect("accounts:code")
    return redirect(way_on(request, onward or reverse("shell:home")))


def signing_in_for(url: str) -> str:
    """Return the URL of the sign-in page that redirects to `url` afterwards."""
    return onward_to("accounts:sign_in", url)
