"""The page of live payments, and the decisions that operators make there."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from api.live_payments import open_work
from api.live_payments.forms import LimitsForm
from api.payments import breaks, instructions, limits
from api.payments.models import ProviderBreak
from apikeys.grants.forms import ReasonForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell import csv_export
from console.shell.forms import posted

# Rows of each list. Operators work from the oldest on.
_MOST = 100


@staff_page(Permission.WORK_VIEW)
def live_payments(request: ConsoleRequest) -> HttpResponseBase:
    """Show providers, stuck instructions and open differences. `?as=csv`: every difference."""
    if request.GET.get("as") == "csv":
        every = ProviderBreak.objects.select_related("business", "closed_by").order_by("-pk")
        return csv_export.response("differences.csv", open_work.table(every.iterator()))
    context = {
        "providers": open_work.providers(),
        "stuck": open_work.stuck()[:_MOST],
        "breaks": open_work.breaks()[:_MOST],
        "may_operate": access.allows(request.roles, Permission.OPERATE),
    }
    return render(request, "api/live_payments.html", context)


@staff_page(Permission.OPERATE, methods=("POST",))
def ask_again(request: ConsoleRequest, object_id: str) -> HttpResponse:
    """Ask the provider of a stuck instruction again."""
    stuck = get_object_or_404(open_work.stuck(), public_id=object_id)
    instructions.ask_again(stuck, by=request.user)
    messages.success(request, _("We are asking the provider about %(id)s.") % {"id": object_id})
    return redirect("api:live_payments")


@staff_page(Permission.OPERATE, methods=("GET", "POST"))
def close_break(request: ConsoleRequest, break_id: str) -> HttpResponse:
    """Show a difference, and close it with a reason."""
    row = get_object_or_404(
        ProviderBreak.objects.select_related("business", "closed_by"), public_id=break_id
    )
    form = ReasonForm(posted(request))
    if form.is_valid():
        breaks.close(row, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, _("You have closed the difference %(id)s.") % {"id": break_id})
        return redirect("api:live_payments")
    return render(request, "api/break.html", {"row": row, "form": form})


@staff_page(Permission.REVIEW_VIEW, methods=("GET", "POST"))
def live_limits(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Show the limits of live money out of a business, and set others with a reason."""
    business = get_object_or_404(Business, public_id=account_id)
    now = limits.of(business)
    shown = {"month": now.month.decimal(), "payment": now.payment.decimal()}
    form = LimitsForm(posted(request), initial=shown)
    if form.is_valid():
        limits.set_limits(
            business,
            form.money("month"),
            form.money("payment"),
            reason=form.cleaned_data["reason"],
            by=request.user,
        )
        messages.success(
            request, _("You have set the limits of %(name)s.") % {"name": business.name}
        )
        return redirect("api:live_limits", account_id)
    context = {
        "business": business,
        "limits": now,
        "spent": limits.spent(business),
        "form": form,
        "may_set": access.allows(request.roles, Permission.ACCOUNT_MANAGE)
        or access.allows(request.roles, Permission.LIMIT_RAISE),
    }
    return render(request, "api/limits.html", context)
