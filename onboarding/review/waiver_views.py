"""Pages to propose and decide a waiver of a check."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.refusals import Blocker, Stale
from console.shell.forms import attempt, posted
from onboarding import case_acts
from onboarding.checks import waivers
from onboarding.lifecycle import CHECK_LIFECYCLE, Capacity, CheckStatus
from onboarding.models import Check, CheckWaiver
from onboarding.review import clearing
from onboarding.review.forms import DecideWaiverForm, ProposeWaiverForm


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def propose(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Propose to waive a check temporarily."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    form = ProposeWaiverForm(posted(request))
    if form.is_valid():
        said, ends_at = form.cleaned_data["reason"], form.ends_at()
        if attempt(
            form, lambda: waivers.propose(check, reason=said, ends_at=ends_at, by=request.user)
        ):
            messages.success(
                request, _("Your proposal is saved. Another compliance reviewer must decide.")
            )
            return redirect(check.application.case_url)
    waivable = CHECK_LIFECYCLE.allows(check.status, CheckStatus.WAIVED)
    more = {"waivable": waivable and not check.waivers.waiting().exists()}
    return _page(request, "waive_check", check, form, **more)


@staff_page(Permission.CHECK_DECIDE, methods=("GET", "POST"), step_up=True)
def decide(request: ConsoleRequest, check_id: str) -> HttpResponse:
    """Confirm or refuse a colleague's proposal."""
    check = get_object_or_404(Check.objects.with_case(), public_id=check_id)
    waiver = check.waivers.waiting().select_related("proposed_by").first()
    form = DecideWaiverForm(posted(request), initial={"seen": waiver.public_id if waiver else ""})
    if waiver is None and request.method == "POST":
        raise Stale(_("No waiver of this check needs a decision."))
    if waiver is not None and form.is_valid() and _decided(waiver, form, request):
        said = _("%(kind)s: your decision on the waiver is saved.") % {
            "kind": check.get_kind_display()
        }
        messages.success(request, f"{said} {clearing.what_follows(check.application)}")
        return redirect(check.application.case_url)
    return _page(request, "decide_waiver", check, form, waiver=waiver)


def _decided(
    waiver: CheckWaiver, form: DecideWaiverForm, request: ConsoleRequest
) -> CheckWaiver | None:
    confirmed, said = form.cleaned_data["confirmed"] == "yes", form.cleaned_data["reason"]
    if form.cleaned_data["seen"] not in ("", waiver.public_id):
        raise Stale(_("Another waiver of this check was proposed after you opened this page."))
    return attempt(
        form, lambda: waivers.decide(waiver, confirmed=confirmed, reason=said, by=request.user)
    )


def _page(
    request: ConsoleRequest, name: str, check: Check, form: forms.Form, **more: object
) -> HttpResponse:
    eyes = case_acts.blockers(check.application, Capacity.COMPLIANCE, request.user)
    waiver = more.get("waiver")
    if isinstance(waiver, CheckWaiver) and waiver.proposed_by == request.user:
        said = _("You proposed this waiver, so another compliance reviewer must decide.")
        eyes = [*eyes, Blocker("proposed", said)]
    context = {"form": form, "check": check, "eyes": eyes} | more
    status = 422 if form.errors else 200
    return render(request, f"onboarding/{name}.html", context, status=status)
