"""Our decisions on a pack: approve, send back, countersign, and let a stopped one run again."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from agreements import lookup
from agreements.approvals import approvals, countersigning
from agreements.approvals.forms import DecisionForm, RetryForm, SendBackForm
from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.packs import packs
from console.accounts import stepup
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.refusals import Stale
from console.shell.forms import attempt


@staff_page(Permission.REVIEW_VIEW, methods=("POST",), step_up=True)
def approve(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Approve in one capacity; the verb asks whether the person may."""
    pack, form = lookup.pack_to_decide(application_id), DecisionForm(request.POST)
    if not form.is_valid():
        raise Stale("This page is out of date. Open the case again.")
    seen = form.cleaned_data["signed_set_sha256"]
    pack = approvals.approve(pack, form.capacity, signed_set_sha256=seen, by=request.user)
    last = pack.status == PackStatus.APPROVED
    more = " It was the last one: the pack can be countersigned." if last else ""
    messages.success(request, f"Your approval of {pack.number} is recorded.{more}")
    return redirect("agreements:case", application_id)


@staff_page(Permission.REVIEW_VIEW, methods=("GET", "POST"), step_up=True)
def send_back(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Ask the business for changes, and say which."""
    pack = lookup.pack_to_decide(application_id)
    shown = {"role": request.GET.get("role", "")} | stepup.kept(request)
    shown["signed_set_sha256"] = _signed_set(pack)
    form = SendBackForm(request.POST or None, initial=shown)
    sent = attempt(form, lambda: _send_back(pack, form, request)) if form.is_valid() else None
    if sent is None:
        return _page(request, "send_back", pack, form)
    messages.success(request, f"{pack.business.name} is asked for changes.")
    return redirect("agreements:case", application_id)


@staff_page(
    Permission.PACK_COUNTERSIGN,
    methods=("POST",),
    step_up=stepup.SIGNING_MINUTES,
    by_code=True,
)
def countersign(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Bind our side; the sealing starts by itself."""
    pack, seen = lookup.pack_to_decide(application_id), request.POST.get("signed_set_sha256", "")
    countersigning.countersign(pack, signed_set_sha256=seen, by=request.user)
    messages.success(request, f"{pack.number} is countersigned. It is being sealed now.")
    return redirect("agreements:case", application_id)


@staff_page(Permission.PACK_OPERATE, methods=("GET", "POST"))
def retry(request: ConsoleRequest, application_id: str) -> HttpResponse:
    """Let a stopped preparation or sealing run again, for a reason."""
    pack, form = lookup.pack_to_decide(application_id), RetryForm(request.POST or None)
    if form.is_valid():
        said = form.cleaned_data
        if attempt(form, lambda: packs.retry(pack, **said, by=request.user)):
            messages.success(request, f"{pack.number} runs again.")
            return redirect("agreements:case", application_id)
    return _page(request, "retry", pack, form)


def _send_back(pack: Pack, form: SendBackForm, request: ConsoleRequest) -> Pack:
    said = form.cleaned_data
    return approvals.send_back(
        pack,
        form.capacity,
        signed_set_sha256=said["signed_set_sha256"],
        note=said["note"],
        by=request.user,
    )


def _page(request: ConsoleRequest, template: str, pack: Pack, form: Any) -> HttpResponse:
    context = {"application": pack.application, "pack": pack, "form": form}
    status = 422 if form.errors else 200
    return render(request, f"agreements/{template}.html", context, status=status)


def _signed_set(pack: Pack) -> str:
    return pack.revision.signed_set_sha256 if pack.revision else ""
