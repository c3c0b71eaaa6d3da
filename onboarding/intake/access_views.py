"""Pages for requesting API access: answering, checking and submitting."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import factors
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core.refusals import Blocker, NotReady, Stale, WrongStatus
from console.shell.forms import attempt
from onboarding.application_progress import newest_or_404
from onboarding.intake import (
    answers,
    applications,
    forms,
    ownership_form,
    register_offer,
    save_notices,
    section_form,
    signatory,
    suggestions,
    tasklist,
)
from onboarding.intake.answer_set import AnswerSet
from onboarding.intake.answers import Saving
from onboarding.intake.overview_views import rights
from onboarding.intake.section_form import Sent
from onboarding.lifecycle import LIFECYCLE, ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import answering
from onboarding.questionnaire.answer_problems import AnswerProblem
from onboarding.questionnaire.edition_schema import Section


@business_page(Permission.APPLICATION_VIEW, methods=("GET", "POST"))
def section(request: ConsoleRequest, business: Business, section_key: str) -> HttpResponse:
    """Show one section, or save its form."""
    application, given, found = _find(business, section_key)
    if request.method == "POST":
        return _save(request, _open(application), given, found)
    if not application.is_writable:
        return redirect("onboarding:access", business.public_id)
    sent = Sent(problems=_stored_problems(given, found, complete="check" in request.GET))
    return _sheet(request, application, given, found, sent)


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",))
def autosave(request: ConsoleRequest, business: Business, section_key: str) -> HttpResponse:
    """Save the form in the background, without leaving the page."""
    application, given, found = _find(business, section_key)
    return _told(request, application, given, found)


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",))
def lookup(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show what a register states about the company, without leaving the page."""
    application, _given, found = _find(business, register_offer.SECTION)
    _open(application)
    offer = register_offer.look_up(found, forms.typed_in(found, request.POST), by=request.user)
    return render(request, "onboarding/_register_offer.html", {"offer": offer})


@business_page(Permission.APPLICATION_VIEW)
def check(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show every answer with a link to change it, and the declaration."""
    application = newest_or_404(business)
    if not application.is_writable:
        return redirect("onboarding:access", business.public_id)
    return _check(request, application, forms.DeclareForm(initial={"seen": application.saves}))


@business_page(Permission.APPLICATION_SUBMIT, methods=("POST",))
def submit(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Submit the answers for review."""
    application, form = newest_or_404(business), forms.DeclareForm(request.POST)
    if not application.is_writable:
        raise WrongStatus(_("You have already submitted your answers."))
    said = form.cleaned_data if form.is_valid() else {"declared": False}
    verb = partial(applications.submit, application, **said, by=request.user)
    blockers: list[Blocker] = []
    if attempt(form, verb, blockers=blockers):
        messages.success(request, _("Our reviewers now have your answers."))
        return redirect("onboarding:access", business.public_id)
    return _check(request, application, form, blockers, status=422)


@business_page(Permission.APPLICATION_SUBMIT, methods=("POST",))
def invite_signatory(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Send the signatory's invitation, before submission or again."""
    email = request.POST.get("email", "")
    application = newest_or_404(business)
    application = applications.invite_signatory(application, email=email, by=request.user)
    assert application.invitation is not None
    messages.success(
        request, _("We sent the invitation to %(email)s.") % {"email": application.invitation.email}
    )
    return redirect("onboarding:access", business.public_id)


@business_page(Permission.APPLICATION_SUBMIT, methods=("GET", "POST"))
def withdraw(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Confirm and withdraw the application."""
    application = newest_or_404(business)
    LIFECYCLE.check(application.told_status, ApplicationStatus.WITHDRAWN)
    if request.method == "POST":
        applications.withdraw(application, by=request.user)
        messages.success(request, _("The application is withdrawn. Your answers are saved."))
        return redirect("onboarding:access", business.public_id)
    context = {"business": business, "application": application}
    return render(request, "onboarding/withdraw.html", context)


@business_page(Permission.APPLICATION_VIEW)
def submitted(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the answers as submitted, for reading and printing."""
    application = newest_or_404(business)
    if application.submission is None:
        raise Http404
    context = {
        "business": business,
        "application": application,
        "submission": application.submission,
        "sections": tasklist.answered(answers.frozen(application.submission)),
    }
    return render(request, "onboarding/submitted.html", context)


def _save(
    request: ConsoleRequest, application: Application, given: AnswerSet, found: Section
) -> HttpResponse:
    saving = _keep(request, application, given, found)
    more = request.POST.get("more", "")
    stays = more or request.POST.keys() & {"lookup", "remove"}
    if saving.unsaved or saving.problems or stays:
        sent = Sent(saving.unsaved, saving.problems, saving.conflicts, more)
        fresh, status = saving.application, _status(saving)
        return _sheet(request, fresh, saving.given, found, sent, status=status)
    return _onward(request, saving, found)


def _told(
    request: ConsoleRequest, application: Application, given: AnswerSet, found: Section
) -> JsonResponse:
    """Save for the page's script. Refusals are JSON too, because it reads nothing else."""
    try:
        saving = _keep(request, _open(application), given, found)
    except (Stale, WrongStatus, NotReady) as refusal:
        unsaved = sorted(forms.shown_in(request.POST))
        refused = {
            "message": _("Not saved. %(message)s") % {"message": refusal.message},
            "unsaved": unsaved,
        }
        return JsonResponse(refused, status=409, headers={"X-Refusal": refusal.code})
    outline = partial(
        section_form.outline, found, business=application.business, reader=request.user
    )
    said: dict[str, Any] = {
        "message": save_notices.notice_for(saving, request.user),
        "unsaved": list(saving.unsaved),
        "reshaped": outline(given) != outline(saving.given),
    }
    return JsonResponse(said, status=409 if saving.unsaved else 200)


def _keep(
    request: ConsoleRequest, application: Application, given: AnswerSet, found: Section
) -> Saving:
    typed = forms.typed_in(found, register_offer.with_register(request.POST, given.values))
    if removed := request.POST.get("remove"):
        typed |= ownership_form.without(found, given, typed, removed)
    page = forms.page_in(request.POST)
    suggested = suggestions.suggestions(given, application.business, request.user)
    typed = suggestions.without_begun(typed, suggested)
    return answers.save_section(application, found.key, typed, page=page, by=request.user)


def _onward(request: ConsoleRequest, saving: Saving, found: Section) -> HttpResponse:
    business_id = saving.application.business.public_id
    if "later" in request.POST:
        messages.success(request, _("%(title)s: saved.") % {"title": found.title})
        return redirect("onboarding:access", business_id)
    here = redirect("onboarding:section", business_id, found.key)
    if "use" in request.POST:
        if register_offer.is_outdated(request.POST, saving.given.values):
            said = _(
                "We did not use the register's details, because you changed the country or the "
                "number after the look-up. Look it up again."
            )
            messages.warning(request, said)
        else:
            messages.success(request, _("The register's details are now your answers. Check them."))
        return here
    back = _back(request)
    given = saving.given
    asked = answering.visible(given.edition, given.values) & {q.key for q in found.questions}
    if (allowed := given.open_keys(saving.application)) is not None:
        asked &= allowed
    if asked - forms.shown_in(request.POST):
        messages.info(request, _("Saved. Your answers lead to more questions."))
        return here
    if answering.missing(given.edition, found, given.values):
        return redirect(f"{here['Location']}?check=1{'&back=check' if back else ''}")
    following = None if back else tasklist.next_unfinished(given, found)
    if following is None:
        return redirect("onboarding:check", business_id)
    messages.success(request, _("%(title)s: saved.") % {"title": found.title})
    return redirect("onboarding:section", business_id, following.key)


def _sheet(
    request: ConsoleRequest,
    application: Application,
    given: AnswerSet,
    found: Section,
    sent: Sent,
    status: int = 200,
) -> HttpResponse:
    business, allowed = application.business, rights(request)
    known = suggestions.suggestions(given, business, request.user)
    suggested = known if allowed["may_answer"] else {}
    sheet = section_form.form_for(
        application, found, given, sent, suggested=suggested, reader=request.user
    )
    context: dict[str, Any] = {
        "business": business,
        "application": application,
        "sheet": sheet,
        "problems": sheet.problems,
        "back": _back(request),
        "looks_up": register_offer.is_available(),
    } | allowed
    if "lookup" in request.POST:
        typed = forms.typed_in(found, request.POST)
        context["offer"] = register_offer.look_up(found, typed, by=request.user)
    return render(request, "onboarding/section.html", context, status=status)


def _check(
    request: ConsoleRequest,
    application: Application,
    form: forms.DeclareForm,
    refused: Sequence[Blocker] = (),
    status: int = 200,
) -> HttpResponse:
    given = answers.answer_set(application)
    form.fields["declared"].label = given.edition.declaration
    context = {
        "business": application.business,
        "application": application,
        "list": tasklist.task_list(given),
        "sections": tasklist.answered(given, given.open_keys(application)),
        "left_out": tasklist.left_out(given),
        "to_put_right": tasklist.to_put_right(application, given, refused),
        "signatories": signatory.named_signatories(application, given),
        "has_app": factors.has_second_factor(request.user),
        "form": form,
        **rights(request),
    }
    return render(request, "onboarding/check.html", context, status=status)


def _find(business: Business, section_key: str) -> tuple[Application, AnswerSet, Section]:
    application = newest_or_404(business)
    given = answers.answer_set(application)
    found = given.edition.section(section_key)
    if found is None:
        raise Http404
    return application, given, found


def _open(application: Application) -> Application:
    if not application.is_writable:
        raise Stale(
            _(
                "Your change was not saved, because someone submitted the answers while you "
                "were editing."
            )
        )
    return application


def _stored_problems(
    given: AnswerSet, found: Section, *, complete: bool
) -> tuple[AnswerProblem, ...]:
    missing = answering.missing(given.edition, found, given.values) if complete else []
    return (*missing, *answers.problems_in(given, found))


def _status(saving: Saving) -> int:
    if saving.is_blocked:
        return 403
    return 409 if saving.conflicts else 422 if saving.problems else 200


def _back(request: ConsoleRequest) -> bool:
    return (request.POST.get("back") or request.GET.get("back")) == "check"
