"""The page on which a business uploads its documents and reads what it has uploaded."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core.isolation import LARGEST_BODY
from console.shell.forms import attempt
from onboarding.application_progress import newest_or_404
from onboarding.evidence import files
from onboarding.evidence.forms import EvidenceForm
from onboarding.evidence.models import EvidenceFile
from onboarding.models import Application


@business_page(Permission.APPLICATION_VIEW)
def documents(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the documents of the business's newest application, and the form for another."""
    return _page(request, newest_or_404(business), EvidenceForm())


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",), largest_body=LARGEST_BODY)
def upload(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Upload a document."""
    application = newest_or_404(business)
    form = EvidenceForm(request.POST, request.FILES)
    if form.is_valid():
        kind = form.cleaned_data["kind"]
        adding = partial(files.add, application, **form.sent(), kind=kind, by=request.user)
        if file := attempt(form, adding, on="file"):
            messages.success(request, _("We saved %(name)s.") % {"name": file.name})
            return redirect("onboarding:documents", business.public_id)
    return _page(request, application, form)


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",))
def withdraw_document(request: ConsoleRequest, business: Business, file_id: str) -> HttpResponse:
    """Remove a document that is not submitted yet."""
    rows = EvidenceFile.objects.of(newest_or_404(business)).select_related("application")
    file = files.withdraw(get_object_or_404(rows, public_id=file_id), by=request.user)
    messages.success(request, _("We removed %(name)s.") % {"name": file.name})
    return redirect("onboarding:documents", business.public_id)


def _page(request: ConsoleRequest, application: Application, form: EvidenceForm) -> HttpResponse:
    may_answer = access.allows(request.roles, Permission.APPLICATION_ANSWER)
    context: dict[str, Any] = {
        "business": application.business,
        "application": application,
        "files": EvidenceFile.objects.of(application).select_related("application"),
        "may_answer": may_answer,
        "may_upload": may_answer and files.may_be_added(application),
        "form": form,
    }
    return render(request, "onboarding/documents.html", context, status=422 if form.errors else 200)
