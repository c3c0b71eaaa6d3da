"""Pages on which our staff propose and decide go-live requests."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys.going_live import live_overview, live_readiness, requests
from apikeys.going_live.forms import DecideLiveForm, ProposeLiveForm
from apikeys.going_live.lifecycle import GoLiveStatus
from apikeys.going_live.models import GoLiveRequest
from apikeys.products.product_overview import unserved_in_live
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.refusals import Blocker
from console.shell import keyset_pages
from console.shell.forms import attempt, posted
from onboarding import case_acts
from onboarding.lifecycle import Capacity


@staff_page(Permission.REVIEW_VIEW)
def request_list(request: ConsoleRequest) -> HttpResponse:
    """List the requests that wait for us, oldest first, or all with `?stage=all`, newest first.

    `?stage=mine` leaves those that wait, of businesses whose account manager is the reader.
    """
    rows, stage = GoLiveRequest.objects.with_people(), request.GET.get("stage")
    is_all, is_mine = stage == "all", stage == "mine"
    if not is_all:
        rows = rows.filter(status=GoLiveStatus.REQUESTED)
    if is_mine:
        rows = rows.filter(business__account_manager=request.user)
    order = "-requested_at" if is_all else "requested_at"
    page = keyset_pages.page_of(rows, order, request.GET.get("after", ""))
    context = {
        "page": page,
        "is_all": is_all,
        "is_mine": is_mine,
        "manages": access.allows(request.roles, Permission.ACCOUNT_MANAGE),
    }
    return render(request, "apikeys/going_live/requests.html", context)


@staff_page(Permission.REVIEW_VIEW)
def request_page(request: ConsoleRequest, go_live_request_id: str) -> HttpResponse:
    """Show a request with its current checklist and history."""
    asked = _find(go_live_request_id)
    context = _context(asked) | {
        "may_propose": access.allows(request.roles, Permission.GO_LIVE_PROPOSE),
        "may_decide": access.allows(request.roles, Permission.GO_LIVE_DECIDE),
    }
    return render(request, "apikeys/going_live/request.html", context)


@staff_page(Permission.GO_LIVE_PROPOSE, step_up=True, methods=("GET", "POST"))
def propose(request: ConsoleRequest, go_live_request_id: str) -> HttpResponse:
    """Propose a request to the head of compliance."""
    asked = _find(go_live_request_id)
    form = ProposeLiveForm(posted(request))
    if form.is_valid():
        note = form.cleaned_data["note"]
        if attempt(form, lambda: requests.propose(asked, note=note, by=request.user)):
            messages.success(
                request, _("You have proposed this request. The head of compliance must decide.")
            )
            return redirect("apikeys:go_live_request", asked.public_id)
    eyes = case_acts.blockers(asked.application, Capacity.ACCOUNT_MANAGER, request.user)
    closed = not asked.is_open or asked.proposed_at is not None
    return _form_page(request, "propose", asked, form, closed=closed, eyes=eyes)


@staff_page(Permission.GO_LIVE_DECIDE, step_up=True, methods=("GET", "POST"))
def decide(request: ConsoleRequest, go_live_request_id: str) -> HttpResponse:
    """Approve or decline a request, with a reason that the business reads."""
    asked = _find(go_live_request_id)
    form = DecideLiveForm(posted(request))
    if form.is_valid():
        approves = form.cleaned_data["decision"] == "approve"
        verb, reason = (
            requests.approve if approves else requests.decline,
            form.cleaned_data["reason"],
        )
        if done := attempt(form, lambda: verb(asked, reason=reason, by=request.user)):
            messages.success(
                request, _("Request status: %(status)s.") % {"status": done.get_status_display()}
            )
            return redirect("apikeys:go_live_request", asked.public_id)
    eyes = case_acts.blockers(asked.application, Capacity.COMPLIANCE, request.user)
    return _form_page(request, "decide", asked, form, closed=not asked.is_open, eyes=eyes)


def _find(public_id: str) -> GoLiveRequest:
    return get_object_or_404(GoLiveRequest.objects.with_people(), public_id=public_id)


def _context(asked: GoLiveRequest) -> dict[str, Any]:
    lines = live_readiness.lines(asked.business, asked.products, is_told=False)
    return {
        "asked": asked,
        "business": asked.business,
        "application": asked.application,
        "lines": lines,
        "missing": [line for line in lines if not line.met],
        "steps": live_overview.steps(asked, for_staff=True),
        "unserved": unserved_in_live(asked.products),
    }


def _form_page(
    request: ConsoleRequest,
    name: str,
    asked: GoLiveRequest,
    form: forms.Form,
    *,
    closed: bool,
    eyes: list[Blocker],
) -> HttpResponse:
    """Show the form or, before something is typed, that it is too late for it."""
    more = {"form": form, "closed": closed and not form.errors, "eyes": eyes}
    context = _context(asked) | more
    status = 422 if form.errors else 200
    return render(request, f"apikeys/going_live/{name}.html", context, status=status)
