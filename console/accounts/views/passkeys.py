"""The user's passkeys: adding and removing them."""

from functools import partial

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import passkey_sign_in, passkeys, signin
from console.accounts.forms import AddPasskeyForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Passkey
from console.accounts.page_access import person_page
from console.accounts.views.security import show_once
from console.shell.forms import attempt, posted
from console.shell.safe_redirects import way_on


@person_page(methods=("GET", "POST"), step_up=10)
def add_passkey(request: ConsoleRequest) -> HttpResponse:
    """Add the passkey that the browser made, and show the recovery codes that come with the first.

    The first second factor of a user also verifies this session.
    """
    form, onward = AddPasskeyForm(posted(request)), way_on(request, "")
    if form.is_valid() and (added := _added(request, form)):
        passkey, codes = added
        if request.user.otp_device is None:  # type: ignore[attr-defined]  # set by django-otp
            signin.adopt(request, passkey, by="passkey")
        if codes:
            return show_once(request, codes, first=True, onward=onward)
        messages.success(request, _("The passkey was added."))
        return redirect(onward or "accounts:security")
    return render(request, "accounts/add_passkey.html", {"form": form, "onward": onward})


def _added(request: ConsoleRequest, form: AddPasskeyForm) -> tuple[Passkey, list[str]] | None:
    """Add the passkey, or add an error to the form."""
    add = partial(
        passkeys.add,
        request.user,
        form.cleaned_data["credential"],
        passkey_sign_in.challenge_to_add(request),
        name=form.cleaned_data["name"],
        by=request.user,
        keep_session=signin.stored_key(request),
    )
    return attempt(form, add)


@person_page(methods=("POST",), step_up=10)
def passkey_creation_options(request: ConsoleRequest) -> HttpResponse:
    """Return the options with which the browser makes a passkey, as JSON."""
    options = passkey_sign_in.creation_options(request, request.user)
    return HttpResponse(options, content_type="application/json")


@person_page(methods=("POST",), step_up=10)
def remove_passkey(request: ConsoleRequest, passkey_id: str) -> HttpResponse:
    here = signin.stored_key(request)
    if not passkeys.remove(request.user, passkey_id, by=request.user, keep_session=here):
        raise Http404
    messages.success(request, _("The passkey was removed."))
    return redirect("accounts:security")
