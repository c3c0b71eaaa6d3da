"""The page on which a business reads our requests for information and replies to them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
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
    """A reply in words. The page sends the one that it showed, too."""

    text = ReasonField(
        gettext_lazy("Your answer"),
        show_hidden_initial=True,
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
def reply(request: ConsoleRequest, business: Business, information_request_id: str) -> HttpResponse:
    """Save every reply that was typed or chosen, and send them all if that button was pressed."""
    application = newest_or_404(business)
    rows = InformationRequest.objects.of(application).select_related("application__business")
    asked = get_object_or_404(rows, public_id=information_request_id)
    if refused := _refused(asked, request):
        return _page(request, application, refused)
    said = _("Your answers are saved. Send them when all are complete.")
    if "send" in request.POST:
        information_replies.send(asked, by=request.user)
        said = _("Our reviewers now have your answers.")
    messages.success(request, said)
    return redirect("onboarding:requests", business.public_id)


def _refused(
    asked: InformationRequest, request: ConsoleRequest
) -> dict[InformationItem, forms.Form]:
    """Save the new replies. Return their forms if one was refused, or nothing."""
    bound = _typed(asked, request)
    for item, form in bound.items():
        if form.is_valid():
            attempt(form, _verb(item, form, request))
    return bound if any(form.errors for form in bound.values()) else {}


def _typed(asked: InformationRequest, request: ConsoleRequest) -> dict[InformationItem, forms.Form]:
    """Return the forms with a new reply; if there is none to save, those without any reply."""
    items = [item for item in asked.items.all() if not item.is_correction]
    bound = {item: _form(item, request) for item in items}
    changed = {item: form for item, form in bound.items() if form.has_changed()}
    if changed or "send" in request.POST:
        return changed
    return {item: form for item, form in bound.items() if not item.is_replied}


def _form(item: InformationItem, request: ConsoleRequest) -> forms.Form:
    if item.wants_words:
        return ReplyForm(request.POST, prefix=item.public_id)
    return DocumentReplyForm(request.POST, request.FILES, prefix=item.public_id)


def _verb(
    item: InformationItem, form: forms.Form, request: ConsoleRequest
) -> Callable[[], InformationItem]:
    if isinstance(form, DocumentReplyForm):
        replying = information_replies.send_document
        return partial(replying, item, **form.sent(), by=request.user)
    said = {
        "text": form.cleaned_data["text"],
        "seen": form.data.get(form["text"].html_initial_name),
    }
    return partial(information_replies.reply, item, **said, by=request.user)


def _page(
    request: ConsoleRequest, application: Application, bound: dict[InformationItem, forms.Form]
) -> HttpResponse:
    edition, allowed = answers.answer_set(application).edition, rights(request)
    found: list[Any] = list(InformationRequest.objects.of(application))
    for asked in found:
        for item in asked.items.all():
            item.section = edition.section_of.get(item.question)
            item.label = edition.by_key[item.question].label if item.section else ""
            item.form = bound.get(item) or _unbound(item)
        asked.has_forms = any(item.form for item in asked.items.all())
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
