"""Pages of the reviewers' queue, and to decide or rerun a check."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts import access, saved_views
from console.accounts.http import ConsoleRequest
from console.accounts.models import User
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import keyset_pages
from console.shell.forms import attempt, posted
from onboarding import case_acts
from onboarding.checks import comparison, runs
from onboarding.evidence import files as evidence_files
from onboarding.evidence.models import EvidenceFile
from onboarding.lifecycle import Capacity
from onboarding.models import CaseAct, Check
from onboarding.review import clearing, forms, queue


@staff_page(Permission.REVIEW_VIEW)
def review_queue(request: ConsoleRequest) -> HttpResponse:
    """Show the queue, filtered by the query string."""
    form = forms.QueueFilter(request.GET)
    found = queue.rows(form.cleaned_data if form.is_valid() else {}, request.user)
    page = keyset_pages.page_of(found, queue.ORDER, request.GET.get("after", ""))
    context: dict[str, Any] = {
        "filter": form,
        "page": page,
        "cases": queue.cases(page.rows),
        "saved": saved_views.shown(request, "queue"),
    }
    if page.rows and access.allows(request.roles, Permission.CHECK_DECIDE):
        context["assigning"] = forms.AssignForm(initial={"person": request.user})
    return render(request, "onboarding/queue.html", context)


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def decide_check(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Decide a check that needs review."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    if check.evidence.get("matches"):
        return redirect("onboarding:possible_matches", check.public_id)
    form = forms.DecideCheckForm(posted(request), application=check.application)
    deciding = partial(_decide, check, by=request.user)
    if form.is_valid() and attempt(form, lambda: deciding(**form.cleaned_data)) is not None:
        said = _("%(kind)s: your decision is saved.") % {"kind": check.get_kind_display()}
        messages.success(request, f"{said} {clearing.what_follows(check.application)}")
        return redirect(check.application.case_url)
    eyes = case_acts.blockers(check.application, Capacity.COMPLIANCE, request.user)
    context = {
        "form": form,
        "check": check,
        "eyes": eyes,
        "compared": comparison.lines(check),
        "evidence": comparison.other_evidence(check),
    }
    status = 422 if form.errors else 200
    return render(request, "onboarding/decide_check.html", context, status=status)


@transaction.atomic
def _decide(
    check: Check, *, passed: str, reason: str, evidence: Iterable[EvidenceFile] = (), by: User
) -> Check:
    check = runs.decide(check, passed=passed == "yes", reason=reason, by=by)
    act = CaseAct.objects.filter(decided_check=check, reviewer__person=by).latest("pk")
    evidence_files.rely_on(act, evidence, by=by)
    return check


@staff_page(Permission.CHECK_DECIDE, methods=("POST",))
def check_again(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Request another run of a check."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    check = runs.again(check, by=request.user)
    messages.info(
        request,
        _("%(kind)s: we are running this check again.") % {"kind": check.get_kind_display()},
    )
    return redirect(check.application.case_url)
