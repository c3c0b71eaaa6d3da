"""Sign up, and confirm the e-mail address."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from console.accounts import members, signup
from console.accounts.doors import public_page
from console.accounts.forms import SignUpForm
from console.accounts.models import Invitation
from console.accounts.throttle import Rate, take
from console.core import addresses
from console.shell.forms import posted
from console.shell.ways import onward_to

# A letter goes out for each, so a stranger cannot make us write to many.
PER_ADDRESS = Rate(tries=30, seconds=3600)


@public_page(methods=("GET", "POST"))
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(posted(request), initial=_invited(request.GET.get("invitation", "")))
    if form.is_valid():
        take("sign-up", addresses.client_ip(request), PER_ADDRESS)
        signup.sign_up(**form.cleaned_data)
        return redirect("accounts:check_mail")
    return render(request, "accounts/sign_up.html", {"form": form})


@public_page()
def check_mail(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/check_mail.html")


@public_page(methods=("GET", "POST"))
def confirm_email(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press: programs that read mail follow links, people press buttons."""
    if request.method != "POST":
        if signup.is_live(token):
            return render(request, "accounts/confirm_email.html")
        messages.warning(request, signup.SPENT)
        return redirect("accounts:sign_in")
    person = signup.confirm(token)
    messages.success(request, "Your e-mail address is confirmed. Sign in to go on.")
    if invitation := Invitation.objects.waiting_for(person).first():
        path = reverse("accounts:invitation", args=[members.invitation_token(invitation)])
        return redirect(onward_to("accounts:sign_in", path))
    return redirect("accounts:sign_in")


def _invited(token: str) -> dict[str, str]:
    """Return what an invitation knows of whoever follows it to an account of their own."""
    if not token:
        return {}
    invitation = members.find_invitation(token)
    return {"name": invitation.name, "email": invitation.email}
