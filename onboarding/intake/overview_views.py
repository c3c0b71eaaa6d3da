"""The overview page for API access: the task list, or the application's status."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell import page_refresh
from onboarding import application_progress
from onboarding.information import open_questions
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest
from onboarding.intake import (
    answers,
    applications,
    signatory,
    tasklist,
)
from onboarding.lifecycle import IN_REVIEW, LIFECYCLE, ApplicationStatus
from onboarding.models import Application


@business_page(Permission.APPLICATION_VIEW)
def overview(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the task list or, after submission, the application's status."""
    application = application_progress.newest(business)
    context: dict[str, Any] = {
        "business": business,
        "application": application,
        **rights(request),
    }
    if application is None:
        return render(request, "onboarding/start.html", context)
    if asked := page_refresh.answer(request, application.told_status):
        return asked
    given = answers.newest(application)
    context["signatories"] = signatory.named_signatories(application, given)
    if application.is_writable:
        tasks = tasklist.task_list(given, open_questions.waiting(application))
        return render(request, "onboarding/tasks.html", context | {"list": tasks})
    return render(request, "onboarding/status.html", context | _where_it_stands(application))


def _where_it_stands(application: Application) -> dict[str, Any]:
    requests = InformationRequest.objects.filter(application=application)
    statuses = set(requests.values_list("status", flat=True))
    return {
        "open_requests": InformationStatus.OPEN in statuses,
        "has_requests": bool(statuses),
        "turn": application_progress.turn(application),
        "is_reviewed": application.told_status in IN_REVIEW,
        "can_withdraw": LIFECYCLE.allows(application.told_status, ApplicationStatus.WITHDRAWN),
        "is_over": application.told_status in LIFECYCLE.final,
        "can_start": application.told_status
        in (ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED),
    }


@business_page(Permission.APPLICATION_ANSWER, methods=("POST",))
def start(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Start an application, and redirect to its first section."""
    application = applications.start(business, by=request.user)
    first = answers.answer_set(application).edition.sections[0]
    return redirect("onboarding:section", business.public_id, first.key)


def rights(request: ConsoleRequest) -> dict[str, Any]:
    return {
        "may_answer": access.allows(request.roles, Permission.APPLICATION_ANSWER),
        "may_submit": access.allows(request.roles, Permission.APPLICATION_SUBMIT),
    }
