"""Pages to reset and change passwords."""

from django.contrib import auth, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import limits, passwords, sign_in_limits, signin
from console.accounts.forms import ChangePasswordForm, ForgotForm, NewPasswordForm
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import person_page, public_page
from console.accounts.throttle import take
from console.core import addresses
from console.shell.forms import posted


@public_page(methods=("GET", "POST"))
def forgot(request: HttpRequest) -> HttpResponse:
    form = ForgotForm(posted(request))
    if form.is_valid():
        take("forgot", addresses.network(request), limits.RESET_PER_ADDRESS)
        passwords.ask_for_reset(form.cleaned_data["email"])
        return render(request, "accounts/forgot_sent.html")
    return render(request, "accounts/forgot.html", {"form": form})


@public_page(methods=("GET", "POST"))
def reset(request: HttpRequest, person_id: str, token: str) -> HttpResponse:
    person = passwords.person_of_reset(person_id, token)
    form = NewPasswordForm(posted(request), person=person)
    if form.is_valid():
        passwords.reset(person_id, token, form.cleaned_data["password"])
        sign_in_limits.unlock(person.email, addresses.network(request))
        messages.success(request, _("Your new password is set. Sign in with it."))
        return redirect("accounts:sign_in")
    return render(request, "accounts/reset.html", {"form": form, "person": person})


@person_page(methods=("GET", "POST"))
def change(request: ConsoleRequest) -> HttpResponse:
    form = ChangePasswordForm(posted(request), person=request.user)
    if form.is_valid():
        if signin.check_password(request, request.user.email, form.cleaned_data["current"]):
            return _changed(request, form.cleaned_data["password"])
        form.add_error("current", _("That is not your current password. Try again."))
    return render(request, "accounts/change_password.html", {"form": form})


def _changed(request: ConsoleRequest, password: str) -> HttpResponse:
    person = request.user
    passwords.change(person, password, by=person, keep_session=signin.stored_key(request))
    auth.update_session_auth_hash(request, person)
    messages.success(request, _("Your password is changed. We signed you out everywhere else."))
    return redirect("accounts:security")
