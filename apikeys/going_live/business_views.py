"""Pages on which a business sees its go-live checklist, requests live and confirms."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys.going_live import live_overview, live_readiness, requests
from apikeys.going_live.forms import AskLiveForm
from apikeys.going_live.models import GoLiveRequest
from apikeys.products.product_overview import unserved_in_live
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.catalogue.definitions import PRODUCTS
from console.shell import page_refresh
from console.shell.forms import attempt, posted


@business_page(Permission.KEY_VIEW)
def go_live(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the checklist, the current request and its history."""
    live = live_overview.overview_of(business)
    if asked := page_refresh.answer(request, live.state):
        return asked
    context: dict[str, Any] = {
        "business": business,
        "live": live,
        "steps": live_overview.steps(live.newest, for_staff=False) if live.newest else [],
        "may_act": access.allows(request.roles, Permission.GO_LIVE),
        "may_issue": access.allows(request.roles, Permission.KEY_ISSUE),
    }
    return render(request, "apikeys/going_live/go_live.html", context)


@business_page(Permission.GO_LIVE, step_up=True, methods=("GET", "POST"))
def ask(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Request products in live."""
    live = live_overview.overview_of(business)
    form = AskLiveForm(posted(request), ready=live.ready_products)
    if form.is_valid():
        products = form.cleaned_data["products"]
        asked = attempt(form, lambda: requests.ask(business, products, by=request.user))
        if asked:
            messages.success(
                request, _("We have received your request. We will e-mail you when we decide.")
            )
            return redirect("apikeys:go_live", business.public_id)
    base = [PRODUCTS[key] for key in live.base]
    context = {"business": business, "live": live, "form": form, "base": base}
    status = 422 if form.errors else 200
    return render(request, "apikeys/going_live/ask.html", context, status=status)


@business_page(Permission.GO_LIVE, methods=("POST",))
def withdraw(request: ConsoleRequest, business: Business, go_live_request_id: str) -> HttpResponse:
    requests.withdraw(_find(business, go_live_request_id), by=request.user)
    messages.success(request, _("You have withdrawn your request."))
    return redirect("apikeys:go_live", business.public_id)


@business_page(Permission.GO_LIVE, step_up=True, methods=("GET", "POST"))
def confirm(request: ConsoleRequest, business: Business, go_live_request_id: str) -> HttpResponse:
    """Confirm an approved request, which opens live immediately."""
    asked = _find(business, go_live_request_id)
    if request.method == "POST":
        requests.confirm(asked, by=request.user)
        messages.success(request, _("Live is open. You can now create a live key."))
        return redirect("apikeys:go_live", business.public_id)
    context = {
        "business": business,
        "asked": asked,
        "missing": live_readiness.blockers(business, asked.products),
        "unserved": unserved_in_live(asked.products),
    }
    return render(request, "apikeys/going_live/confirm.html", context)


def _find(business: Business, public_id: str) -> GoLiveRequest:
    rows = GoLiveRequest.objects.of(business).with_people()
    return get_object_or_404(rows, public_id=public_id)
