"""The page on which a business reads our requests for information and replies to them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core.isolation import LARGEST_BODY
from console.shell.forms import ReasonField, attempt
from onboarding.application_progress import newest_or_404
from onboarding.evidence.forms import EvidenceForm
from onboarding.information.models import InformationItem, InformationRequest
from onboarding.intake import answers, information_replies
from onboarding.intake.overview_views import rights
from onboarding.models import Application


class ReplyForm(forms.Form):
    """A reply in words."""

    text = ReasonField(
        gettext_lazy("Your answer"),
        error_messages={"required": gettext_lazy("Write your answer. A sentence is enough.")},
    )


class DocumentReplyForm(EvidenceForm):
    """A document of the kind that we asked for."""

    kind = None  # type: ignore[assignment]


@business_page(Permission.APPLICATION_VIEW)
def requests(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the requests about the newest application, with a form for each open question."""
    return _page(request, newest_or_404(business), {})


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",), largest_body=LARGEST_BODY)
def reply(request: ConsoleRequest, business: Business, item_id: str) -> HttpResponse:
    """Reply to one question, in words or with a document."""
    application = newest_or_404(business)
    rows = InformationItem.objects.filter(request__application=application)
    found = rows.select_related("request__application__business")
    item = get_object_or_404(found, public_id=item_id)
    form = _form(item, request)
    if form.is_valid() and attempt(form, _verb(item, form, request)) is not None:
        messages.success(request, _("Your answer is saved. Send it when all are complete."))
        return redirect("onboarding:requests", business.public_id)
    return _page(request, application, {item.pk: form})


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",))
def send_answers(
    request: ConsoleRequest, business: Business, information_request_id: str
) -> HttpResponse:
    """Send the replies to a request."""
    rows = InformationRequest.objects.of(newest_or_404(business))
    information_replies.send(
        get_object_or_404(rows, public_id=information_request_id), by=request.user
    )
    messages.success(request, _("Our reviewers now have your answers."))
    return redirect("onboarding:requests", business.public_id)


def _form(item: InformationItem, request: ConsoleRequest) -> forms.Form:
    if item.is_correction:
        raise Http404
    if item.wants_words:
        return ReplyForm(request.POST, prefix=item.public_id)
    return DocumentReplyForm(request.POST, request.FILES, prefix=item.public_id)


def _verb(
    item: InformationItem, form: forms.Form, request: ConsoleRequest
) -> Callable[[], InformationItem]:
    if isinstance(form, DocumentReplyForm):
        replying = information_replies.send_document
        return partial(replying, item, **form.sent(), by=request.user)
    text = form.cleaned_data["text"]
    return partial(information_replies.reply, item, text=text, by=request.user)


def _page(
    request: ConsoleRequest, application: Application, bound: dict[int, forms.Form]
) -> HttpResponse:
    edition, allowed = answers.answer_set(application).edition, rights(request)
    found: list[Any] = list(InformationRequest.objects.of(application))
    for asked in found:
        for item in asked.items.all():
            item.section = edition.section_of.get(item.question)
            item.label = edition.by_key[item.question].label if item.section else ""
            item.form = bound.get(item.pk) or _unbound(item)
    context = {
        "business": application.business,
        "application": application,
        "requests": found,
        "problems": any(form.errors for form in bound.values()),
        "bound": list(bound.values()),
        **allowed,
    }
    return render(
        request, "onboarding/requests.html", context, status=422 if context["problems"] else 200
    )


def _unbound(item: InformationItem) -> forms.Form | None:
    if item.is_correction:
        return None
    kind = ReplyForm if item.wants_words else DocumentReplyForm
    return kind(prefix=item.public_id, initial={"text": item.reply})
