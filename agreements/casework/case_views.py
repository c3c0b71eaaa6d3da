"""Case page for our staff: an application with its answers, score, documents and history."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_noop

from agreements import lookup
from agreements.casework import decision_bar, pack_panel, work_queue
from agreements.casework.forms import PackFilter
from agreements.casework.pack_panel import PackPanel
from agreements.lifecycle import WITH_A_WORKER, PackStatus
from agreements.models import Pack
from agreements.signing import reader_views, reading_list
from console.accounts import access, saved_views
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import keyset_pages, page_refresh
from onboarding import case_acts
from onboarding.lifecycle import ApplicationStatus, Capacity
from onboarding.models import Application
from onboarding.review import application_panel as onboarding_panels
from onboarding.review import case_decisions, case_summary, ownership_panel

TABS = {
    "review": gettext_noop("Review"),
    "answers": gettext_noop("Answers"),
    "score": gettext_noop("Score"),
    "pack": gettext_noop("Agreement pack"),
    "history": gettext_noop("History"),
}
RINGS = {"LOW": "ok", "MEDIUM": "accent", "HIGH": "warning", "PROHIBITED": "danger"}


@staff_page(Permission.REVIEW_VIEW)
def case(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Show one tab of a case, its milestones, and the decisions available to this person."""
    application = lookup.application(application_id)
    pack = lookup.pack_of_case(application)
    state = _state(application, pack)
    if asked := page_refresh.answer(request, state):
        return asked
    context = onboarding_panels.application_panel(application) | _decisions(
        request, application, pack
    )
    context |= _frame(request, application, pack_panel.panel_for(pack), context)
    if context["tab"] == "review":
        waits = context["clearing_blockers"] if _is_in_review(application) else []
        context["summary"] = case_summary.summary(application, waits)
    if context["tab"] == "score":
        context |= ownership_panel.owners(application, context["every_check"])
    if context["tab"] == "answers":
        context |= onboarding_panels.compared(application, request.GET.get("against", ""))
    context |= {"state": state, "waits": _waits_for_a_worker(application, pack)}
    return render(request, "agreements/case.html", context)


def _is_in_review(application: Application) -> bool:
    return application.status == ApplicationStatus.SUBMITTED


def _state(application: Application, pack: Pack | None) -> str:
    return f"{application.status} {application.assessment_id} {pack.status if pack else ''}"


def _waits_for_a_worker(application: Application, pack: Pack | None) -> bool:
    """Tell whether a worker is scoring the application, or rendering or sealing its pack."""
    scored = not _is_in_review(application) or application.assessment is not None
    return not scored or (pack is not None and pack.status in WITH_A_WORKER)


@staff_page(Permission.REVIEW_VIEW)
def case_document(request: ConsoleRequest, application_id: str, document_id: str) -> HttpResponse:
    """Show the text of a document of a case."""
    found = lookup.document_of_case(application_id, document_id)
    siblings = list(found.revision.documents.in_order())
    placed = reader_views.around(reading_list.seen(siblings, request.user), found)
    context = {"application": found.revision.pack.application, **reader_views.page(found), **placed}
    return render(request, "agreements/case_document.html", context)


@staff_page(Permission.REVIEW_VIEW)
def packs(request: ConsoleRequest) -> HttpResponse:
    """List the packs that await this person, or those that match the filters in the URL."""
    form = PackFilter(request.GET)
    found = work_queue.rows(form.chosen, request.user, request.roles)
    page = keyset_pages.page_of(found, work_queue.ORDER, request.GET.get("after", ""))
    context = {
        "filter": form,
        "page": page,
        "rows": work_queue.lines_of_any(page.rows),
        "saved": saved_views.shown(request, "packs"),
    }
    return render(request, "agreements/packs.html", context)


def _frame(
    request: ConsoleRequest,
    application: Application,
    panel: PackPanel | None,
    context: dict[str, Any],
) -> dict[str, Any]:
    pack = panel.pack if panel else None
    tab = request.GET.get("show", "")
    checks = {one.public_id: f"“{one.get_kind_display()}”" for one in context["every_check"]}
    confidential = access.allows(request.roles, Permission.CONFIDENTIAL_VIEW)
    watched = pack_panel.names(application, panel, checks)
    most = pack_panel.LONGEST if tab == "history" else pack_panel.RECENT
    return {
        "business": application.business,
        "pack": pack,
        "panel": panel,
        "tab": tab if tab in TABS else "review",
        "tabs": _tabs(context, panel),
        "milestones": pack_panel.milestones(application, panel, context["bar"].approves_as),
        "about": pack_panel.about(application),
        "notes": onboarding_panels.notes(application, confidential=confidential),
        "events": pack_panel.happened(watched, most=most, all_reasons=confidential),
        "bars": _bars(context["score"]),
        "ring_tone": RINGS.get(application.assessment.tier if application.assessment else "", ""),
        "executed": pack is not None and pack.status == PackStatus.EXECUTED,
    }


def _bars(score: onboarding_panels.Score | None) -> list[tuple[str, int, int]]:
    return [(fall.name, fall.points, 100) for fall in score.falls] if score else []


def _tabs(context: dict[str, Any], panel: PackPanel | None) -> list[tuple[str, str, int]]:
    counts = {
        "review": context["open_checks"],
        "answers": sum(len(lines) for _, lines in context["sections"]),
        "pack": len(panel.documents) if panel else 0,
    }
    return [(key, title, counts.get(key, 0)) for key, title in TABS.items()]


def _decisions(
    request: ConsoleRequest, application: Application, pack: Pack | None
) -> dict[str, Any]:
    """Return the decision bar, and compliance's blockers for the panels."""
    asked = decision_bar.AskedBlockers(request.user)
    clearing, as_compliance = case_decisions.clearing_blockers, Capacity.COMPLIANCE
    return {
        "may_note": access.allows(request.roles, Permission.CASE_NOTE),
        "may_see_files": access.allows(request.roles, Permission.EVIDENCE_VIEW),
        "may_assign": access.allows(request.roles, Permission.CHECK_DECIDE),
        "bar": decision_bar.bar_for(application, pack, request.roles, asked),
        "eyes": asked.of(case_acts.blockers, application, as_compliance),
        "clearing_blockers": asked.of(clearing, application, as_compliance),
    }
