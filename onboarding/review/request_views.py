"""Pages on which a reviewer opens a request for information again, or closes it."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.text import isolated
from console.shell.forms import ReasonField, posted
from onboarding.information.models import InformationRequest
from onboarding.review import clearing, information_requests
from onboarding.review.casework_views import form_page


class ReopenForm(forms.Form):
    """What is missing, in words for the business."""

    note = ReasonField(gettext_lazy("What is missing"), gettext_lazy("The business sees this."))


@staff_page(Permission.APPLICATION_RETURN, methods=("GET", "POST"))
def reopen_request(request: ConsoleRequest, information_request_id: str) -> HttpResponse:
    """Ask again."""
    asked = _find(information_request_id)
    form = ReopenForm(posted(request))
    return form_page(
        request, asked.application, form,
        lambda: information_requests.reopen(asked, **form.cleaned_data, by=request.user),
        heading=_("Ask %(business)s again") % {"business": isolated(asked.business.name)},
        words=_("The business sees its answers with your note, and sends them again."),
        said=_("You asked again."),
    )  # fmt: skip


@staff_page(Permission.APPLICATION_RETURN, methods=("POST",))
def close_request(request: ConsoleRequest, information_request_id: str) -> HttpResponse:
    """Accept the answers, or take the questions back."""
    asked = information_requests.close(_find(information_request_id), by=request.user)
    said = f"{_('The request is closed.')} {clearing.what_follows(asked.application)}"
    messages.success(request, said)
    return redirect(asked.application.case_url)


def _find(public_id: str) -> InformationRequest:
    rows = InformationRequest.objects.select_related("application__business")
    return get_object_or_404(rows, public_id=public_id)
