"""Pages to change your own name, time zone, optional e-mails and e-mail address."""

from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import access, details, email_changes, signin
from console.accounts.actors import RECIPIENT
from console.accounts.forms import DetailsForm, NewEmailForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import OptionalMail
from console.accounts.page_access import person_page, public_page
from console.shell.forms import attempt, posted


@person_page(methods=("GET", "POST"))
def change_details(request: ConsoleRequest) -> HttpResponse:
    person = request.user
    known = {
        "name": person.name,
        "time_zone": person.time_zone,
        "wanted_mail": [kind for kind in OptionalMail if kind not in person.unwanted_mail],
        "work_mail": person.work_mail,
    }
    form = DetailsForm(posted(request), initial=known, is_staff=access.is_staff(person))
    if form.is_valid():
        details.change(person, **form.cleaned_data, by=person)
        messages.success(request, _("Your details are saved."))
        return redirect("accounts:security")
    return render(request, "accounts/change_details.html", {"form": form})


@person_page(methods=("GET", "POST"), step_up=10)
def change_email(request: ConsoleRequest) -> HttpResponse:
    form = NewEmailForm(posted(request))
    if form.is_valid():
        email = form.cleaned_data["email"]
        ask = partial(email_changes.ask, request.user, email, by=request.user)
        attempt(form, ask, on="email")
        if not form.errors:
            said = _("We sent a link to %(email)s. Open it to use this address.")
            messages.success(request, said % {"email": email})
            return redirect("accounts:security")
    return render(request, "accounts/change_email.html", {"form": form})


@person_page(methods=("GET", "POST"))
def confirm_new_email(request: ConsoleRequest, token: str) -> HttpResponse:
    """Change the address only on POST, because mail programs follow links."""
    change = email_changes.to_confirm(token, by=request.user)
    if request.method == "POST":
        here = signin.stored_key(request)
        email_changes.confirm(token, by=request.user, keep_session=here)
        messages.success(request, _("Your address is changed. We signed you out everywhere else."))
        return redirect("accounts:security")
    return render(request, "accounts/confirm_new_email.html", {"change": change})


@public_page(methods=("GET", "POST"))
def object_to_email(request: HttpRequest, token: str) -> HttpResponse:
    """Let the owner of the old address stop the change without signing in."""
    change = email_changes.to_object(token)
    page = {"change": change, "done": request.method == "POST"}
    if request.method == "POST":
        page["restored"] = email_changes.object_to(token, by=RECIPIENT)
    return render(request, "accounts/object_to_email.html", page)
