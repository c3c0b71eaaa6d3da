"""Views that add a note to a case and assign a case."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts.http import ConsoleRequest
from console.accounts.models import User
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.text import isolated
from console.shell import several
from console.shell.attachments import attachment
from console.shell.forms import attempt, posted
from onboarding.models import Application
from onboarding.review import casework, ownership_panel
from onboarding.review.forms import AssignForm, CaseNoteForm


@staff_page(Permission.CASE_NOTE, methods=("GET", "POST"))
def add_note(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Add a note to a case, and mention colleagues."""
    case = _find(application_id)
    form = CaseNoteForm(posted(request), author=request.user)
    return form_page(
        request, case, form, lambda: casework.add_note(case, **form.cleaned_data, by=request.user),
        heading=_("Note on %(business)s") % {"business": isolated(case.business.name)},
        words=_note_words(request.user),
        said=_("Your note is saved."),
    )  # fmt: skip


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"))
def assign(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Assign a case to a reviewer."""
    case = _find(application_id)
    held = case.case_owner
    shown = {"person": held or request.user, "seen": held.public_id if held else ""}
    form = AssignForm(posted(request), initial=shown)
    return form_page(
        request, case, form,
        lambda: casework.assign(case, **form.cleaned_data, by=request.user),
        heading=_("Assign %(business)s") % {"business": isolated(case.business.name)},
        words=_("Everybody can still decide on this case. The four-eyes rules do not change."),
        said=_("The case is assigned."),
    )  # fmt: skip


@staff_page(Permission.CHECK_DECIDE, methods=("POST",))
def assign_several(request: ConsoleRequest) -> HttpResponse:
    """Assign the chosen cases of the queue to one reviewer, and return to the queue."""
    form, wanted = AssignForm(request.POST), several.chosen(request)
    rows = Application.objects.seen_by_staff().select_related("business", "case_owner")
    cases = rows.filter(public_id__in=wanted).order_by("submitted_at", "pk")
    if form.is_valid():
        person = form.cleaned_data["person"]
        several.each(
            request,
            wanted,
            [(one.public_id, one.business.name, one) for one in cases],
            lambda case, seen: casework.assign(case, person, seen=seen, by=request.user),
        )
    else:
        messages.warning(request, _("Nothing was changed: choose one of our reviewers."))
    return redirect(f"{reverse('onboarding:review_queue')}?{request.GET.urlencode()}")


@staff_page(Permission.REVIEW_VIEW)
def owners_file(request: ConsoleRequest, application_id: str, kind: str) -> HttpResponse:
    """Download who owns the business of a case, as BODS or FollowTheMoney."""
    rows = Application.objects.exclude(submission=None).select_related("submission", "business")
    case = get_object_or_404(rows, public_id=application_id)
    if kind not in ownership_panel.FILES:
        raise Http404
    ending, media_type = ownership_panel.FILES[kind]
    data = ownership_panel.download(case, kind, by=request.user)
    return attachment(data, f"{case.public_id}.{ending}", media_type)


def _note_words(author: User) -> str:
    if casework.readers_of(author) == Permission.CONFIDENTIAL_VIEW:
        return _(
            "Only compliance can read your notes. If one is about a suspicion, do not tell the "
            "customer, or colleagues outside compliance. You cannot change or delete a note."
        )
    return _("All our staff can read your notes. You cannot change or delete a note.")


def form_page(
    request: ConsoleRequest,
    case: Application,
    form: forms.Form,
    verb: Callable[[], object],
    *,
    heading: str,
    words: str,
    said: str,
) -> HttpResponse:
    """Show a form about a case, or do what it asks for and return to the case."""
    if form.is_valid() and attempt(form, verb) is not None:
        messages.success(request, said)
        return redirect(case.case_url)
    context = {"application": case, "form": form, "heading": heading, "words": words}
    status = 422 if form.errors else 200
    return render(request, "onboarding/casework.html", context, status=status)


def _find(public_id: str) -> Application:
    rows = Application.objects.seen_by_staff().select_related("business", "case_owner")
    return get_object_or_404(rows, public_id=public_id)
