"""Pages for the audit log, published heads and background work."""

import re

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from console.accounts import access, saved_views
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import public_page, staff_page
from console.accounts.roles import Permission
from console.audit import chain, history
from console.audit import heads as published_heads
from console.core import clock
from console.events import jobs
from console.events.models import EventDelivery
from console.governance import cleaning, health_notices, log_checks, log_page
from console.governance import work as verbs
from console.governance.log_page import LogForm
from console.shell import csv_export, keyset_pages, several

HEADS = 50
_A_KEY = re.compile(r"[0-9]{1,18}", re.ASCII)


@staff_page(Permission.AUDIT_VIEW)
def log(request: ConsoleRequest) -> HttpResponseBase:
    """Show the log, the newest entry first; with `?as=csv` or `?as=jsonl`, as a file."""
    form = LogForm(request.GET)
    all_reasons = access.allows(request.roles, Permission.CONFIDENTIAL_VIEW)
    question = form.question(all_reasons=all_reasons)
    kind = request.GET.get("as")
    if kind == "csv":
        return csv_export.response("audit-log.csv", log_page.table(question))
    if kind == "jsonl":
        return csv_export.streamed(
            "audit-log.jsonl", "application/jsonl", log_page.json_lines(question)
        )
    found = history.fitting(question)
    page = keyset_pages.page_of(found, log_page.ORDER, request.GET.get("after", ""))
    context = {
        "form": form,
        "saved": saved_views.shown(request, "audit"),
        "page": page,
        "rows": log_page.shown(page.rows, all_reasons=all_reasons),
        "head": chain.stored_head(),
        "chain": log_checks.chain_state(),
    }
    return render(request, "governance/log.html", context)


@public_page()
def heads(request: HttpRequest) -> HttpResponse:
    """Show every published head of the chain, as a page or, with `?as=json`, as JSON."""
    rows, after = published_heads.published(), request.GET.get("after", "")
    page = keyset_pages.page_of(rows, "-at", after, size=HEADS)
    if request.GET.get("as") != "json":
        return render(request, "governance/heads.html", {"page": page})
    told = [
        {"chain": one.chain, "count": one.count, "hash": one.hash, "at": clock.iso(one.at)}
        for one in page.rows
    ]
    return JsonResponse({"heads": told, "after": page.after})


@staff_page(Permission.WORK_VIEW)
def work(request: ConsoleRequest) -> HttpResponse:
    """Show pending work, longest wait first, and health notices."""
    waiting = EventDelivery.objects.waiting().select_related("event")
    context = {
        "page": keyset_pages.page_of(waiting, "event_id", request.GET.get("after", "")),
        "concerns": health_notices.told(),
        "checks": health_notices.checks(),
        "figures": cleaning.figures(),
        "cleaned": jobs.last(cleaning.JOB),
        "may_operate": access.allows(request.roles, Permission.OPERATE),
    }
    return render(request, "governance/work.html", context)


@staff_page(Permission.OPERATE, methods=("POST",))
def try_again(request: ConsoleRequest) -> HttpResponse:
    """Retry the chosen pending deliveries now."""
    wanted = several.chosen(request)
    rows = EventDelivery.objects.waiting().select_related("event").order_by("event_id", "pk")
    found = rows.filter(pk__in=[one for one in wanted if _A_KEY.fullmatch(one)])
    several.each(
        request,
        wanted,
        [(str(one.pk), f"{one.listener} ({one.event.subject_id})", one) for one in found],
        lambda delivery, _seen: verbs.try_again(delivery, by=request.user),
    )
    return redirect(f"{reverse('governance:work')}?{request.GET.urlencode()}")
