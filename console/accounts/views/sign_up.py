"""Pages to sign up and to confirm the e-mail address."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import limits, members, recipients, signin, signup
from console.accounts.forms import ConfirmPasswordForm, SignUpForm
from console.accounts.models import Invitation, User
from console.accounts.page_access import public_page
from console.accounts.throttle import take
from console.accounts.views.sign_in import after_password
from console.core import addresses
from console.shell.forms import posted


@public_page(methods=("GET", "POST"))
def sign_up(request: HttpRequest) -> HttpResponse:
    invited = _invited(request.GET.get("invitation", ""))
    business = invited.business.name if invited else ""
    known = {"name": invited.name, "email": invited.email} if invited else {}
    form = SignUpForm(posted(request), initial=known, business=business)
    if form.is_valid():
        take("sign-up", addresses.network(request), limits.SIGN_UP_PER_ADDRESS)
        recipients.count_public(form.cleaned_data["email"])
        signin.note_sign_up(request, signup.sign_up(**form.cleaned_data))
        signin.note_mailed(request, form.cleaned_data["email"])
        return redirect("accounts:check_mail")
    return render(request, "accounts/sign_up.html", {"form": form})


@public_page(methods=("GET", "POST"))
def check_mail(request: HttpRequest) -> HttpResponse:
    """Say to which address we sent the link, and send it again.

    What it says and does looks the same whether or not somebody holds the address.
    """
    email = signin.mailed_to(request)
    if request.method == "POST" and email:
        take("sign-up", addresses.network(request), limits.SIGN_UP_PER_ADDRESS)
        recipients.count_public(email)
        signup.send_again(email)
        messages.success(request, _("We have sent the e-mail again."))
        return redirect("accounts:check_mail")
    return render(request, "accounts/check_mail.html", {"email": email})


@public_page(methods=("GET", "POST"))
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the password, then confirm the address and sign in.

    E-mail scanners follow links, and a stranger can sign up with anybody's address, so only the
    password proves who signed up, or the browser in which it was just chosen.
    """
    person = signup.person_of(token)
    if person is None or (request.method == "GET" and person.email_confirmed_at):
        return _nothing_to_confirm(request, person)
    is_new = signin.has_just_signed_up(request, person)
    form = ConfirmPasswordForm(posted(request))
    if request.method == "POST":
        proven = person if is_new else _with_password(request, form, person)
        if proven:
            return _confirm(request, token, proven)
    page = {"form": form, "email": person.email, "has_just_signed_up": is_new}
    return render(request, "accounts/confirm_email.html", page)


def _with_password(request: HttpRequest, form: ConfirmPasswordForm, person: User) -> User | None:
    if not form.is_valid():
        return None
    found = signin.check_password(request, person.email, form.cleaned_data["code"])
    if found is None:
        form.add_error("code", _("That is not the password of this account. Try again."))
    return found


def _nothing_to_confirm(request: HttpRequest, person: User | None) -> HttpResponse:
    if request.method == "POST":
        raise signup.LinkSpent(_(signup.SPENT))
    if person:
        messages.info(request, _("Your e-mail address is confirmed already."))
    else:
        messages.warning(request, _(signup.SPENT))
    return redirect("accounts:sign_in")


def _confirm(request: HttpRequest, token: str, person: User) -> HttpResponse:
    confirmed = signup.confirm(token, by=person)
    messages.success(request, _("Your e-mail address is confirmed."))
    onward = _onward(confirmed)
    return after_password(request, signin.go_on(request, confirmed, to=onward), onward)


def _onward(person: User) -> str:
    """Return the path of the invitation that brought this user here, or ""."""
    invitation = Invitation.objects.waiting_for(person).first()
    if invitation is None:
        return ""
    return reverse("accounts:invitation", args=[members.invitation_token(invitation)])


def _invited(token: str) -> Invitation | None:
    """Return the invitation that led to sign-up, or None."""
    return members.find_invitation(token) if token else None
