"""The reviewers' queue, and the presses that decide an application or a check."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render

from console.accounts import stepup
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.shell.forms import attempt
from console.shell.paging import page_of
from onboarding import case_acts
from onboarding.checks import runs
from onboarding.lifecycle import Capacity
from onboarding.models import Application, Check
from onboarding.review import clearing, decisions, forms, queue


@staff_page(Permission.REVIEW_VIEW)
def review_queue(request: ConsoleRequest) -> HttpResponse:
    """Show what waits for our reviewers, narrowed by the address."""
    form = forms.QueueFilter(request.GET)
    found = queue.rows(form.cleaned_data if form.is_valid() else {})
    page = page_of(request, found)
    context = {"filter": form, "page": page, "cases": queue.cases(page.object_list)}
    return render(request, "onboarding/queue.html", context)


@dataclass(frozen=True)
class DecisionAction:
    """One decision as its page words it: what it is called, what happens, and the verb."""

    title: str
    words: str
    button: str
    done: str
    verb: Callable[..., Application]
    hint: str = "Kept in the log, read by our staff only"
    kind: str = "primary"


RETURN = DecisionAction(
    "Return for changes",
    "The business can change its answers again and reads what you write. A running agreement "
    "pack is set aside.",
    "Return to the business",
    "is returned to its business",
    decisions.return_for_changes,
    hint="The business reads this. Say which answer, and what to change.",
)
HOLD = DecisionAction(
    "Put on hold",
    "The review stops until somebody of compliance lets it go on. The business sees “in review”.",
    "Put on hold",
    "is on hold",
    decisions.hold,
)
RELEASE = DecisionAction(
    "Let the review go on",
    "The hold ends, and the application is in review again.",
    "Let it go on",
    "is in review again",
    decisions.release,
)
DECLINE = DecisionAction(
    "Decline",
    "The application ends here, for good. The business reads that we cannot continue, not why.",
    "Decline the application",
    "is declined",
    decisions.decline,
    kind="danger",
)


@staff_page(Permission.APPLICATION_CLEAR, methods=("GET", "POST"), step_up=True)
def clear(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Clear an application to contract, or show what stands in the way."""
    application = _application(application_id)
    if request.method == "POST":
        decisions.clear(application, by=request.user)
        messages.success(request, f"{application.business.name} is cleared to contract.")
        return _case(application)
    found = _eyes(application, request) + clearing.blockers(application)
    context = {"application": application, "blockers": found}
    return render(request, "onboarding/clear.html", context)


@staff_page(Permission.APPLICATION_RETURN, methods=("GET", "POST"), step_up=True)
def return_for_changes(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Hand the application back to the business, and say what to change."""
    return _decide(request, application_id, RETURN)


@staff_page(Permission.APPLICATION_HOLD, methods=("GET", "POST"), step_up=True)
def hold(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Stop the review."""
    return _decide(request, application_id, HOLD)


@staff_page(Permission.APPLICATION_HOLD, methods=("GET", "POST"), step_up=True)
def release(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Let the review go on."""
    return _decide(request, application_id, RELEASE)


@staff_page(Permission.APPLICATION_DECLINE, methods=("GET", "POST"), step_up=True)
def decline(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Say no, for good."""
    return _decide(request, application_id, DECLINE)


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def decide_check(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Decide a check that needs a person."""
    check = _check(check_id)
    form = forms.DecideCheckForm(_sent(request), initial=stepup.kept(request))
    if request.method == "POST" and form.is_valid():
        said = {
            "passed": form.cleaned_data["passed"] == "yes",
            "reason": form.cleaned_data["reason"],
        }
        if attempt(form, lambda: runs.decide(check, **said, by=request.user)):
            messages.success(request, f"{check.get_kind_display()}: decided.")
            return _case(check.application)
    eyes = _eyes(check.application, request)
    return _page(request, "onboarding/decide_check.html", form, check=check, eyes=eyes)


@staff_page(Permission.CHECK_DECIDE, methods=("POST",))
def check_again(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Ask for a check to be run once more."""
    check = runs.again(_check(check_id), by=request.user)
    messages.info(request, f"{check.get_kind_display()}: it is being run again.")
    return _case(check.application)


def _decide(request: ConsoleRequest, application_id: str, action: DecisionAction) -> HttpResponse:
    application = _application(application_id)
    form = forms.NoteForm(_sent(request), initial=stepup.kept(request), hint=action.hint)
    if request.method == "POST" and form.is_valid():
        note = form.cleaned_data["note"]
        if attempt(form, lambda: action.verb(application, note=note, by=request.user)):
            messages.success(request, f"{application.business.name} {action.done}.")
            return _case(application)
    context = {"application": application, "action": action, "eyes": _eyes(application, request)}
    return _page(request, "onboarding/decision.html", form, **context)


def _page(request: ConsoleRequest, template: str, form: Any, **context: Any) -> HttpResponse:
    status = 422 if form.errors else 200
    return render(request, template, {"form": form, **context}, status=status)


def _eyes(application: Application, request: ConsoleRequest) -> list[Blocker]:
    """Return why this person may not decide on the case, to say so before they press."""
    return case_acts.blockers(application, Capacity.COMPLIANCE, request.user)


def _sent(request: ConsoleRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _application(public_id: str) -> Application:
    rows = Application.objects.seen_by_staff()
    rows = rows.select_related("business", "submission", "assessment")
    return get_object_or_404(rows, public_id=public_id)


def _check(public_id: str) -> Check:
    rows = Check.objects.select_related("application__business", "submission")
    return get_object_or_404(rows, public_id=public_id)


def _case(application: Application) -> HttpResponse:
    return redirect("agreements:case", application.public_id)
