"""Pages of the register: the list of businesses, one business, and its account manager."""

from itertools import chain
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from agreements.models import Pack
from apikeys.models import Grant
from apikeys.models.staged_business import BusinessStage
from apikeys.register import business_register
from apikeys.register.forms import AccountManagerForm, RegisterFilter
from console.accounts import access, businesses, saved_views
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, Membership
from console.accounts.models.folded import NameOrder
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.audit import history
from console.core import pages_above
from console.shell import csv_export, keyset_pages, several
from console.shell.forms import attempt
from onboarding.models import Application


@staff_page(Permission.REVIEW_VIEW)
def register(request: ConsoleRequest) -> HttpResponseBase:
    """List businesses, filtered and sorted by the URL. Return a CSV file for `?as=csv`."""
    form = RegisterFilter(request.GET)
    order, _label = business_register.SORTS[form.chosen.get("sort", "")]
    found = business_register.rows(form.chosen, request.user)
    if request.GET.get("as") == "csv":
        every = chain.from_iterable(keyset_pages.chunks(found, order, size=5_000))
        return csv_export.response("businesses.csv", business_register.table(every))
    page = keyset_pages.page_of(found, order, request.GET.get("after", ""))
    manages = access.allows(request.roles, Permission.ACCOUNT_MANAGE)
    context = {
        "filter": form,
        "saved": saved_views.shown(request, "businesses"),
        "page": page,
        "rows": [_row(business) for business in page.rows],
        "funnel": business_register.funnel(request.user) if manages else [],
        "stalled_days": business_register.STALLED_DAYS,
        "has_own": manages,
        "assigning": AccountManagerForm(initial={"person": request.user}) if manages else None,
    }
    return render(request, "apikeys/register/businesses.html", context)


@staff_page(Permission.REVIEW_VIEW)
def business_page(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Show one business to staff: its stage, its members and links to its other pages."""
    business = get_object_or_404(business_register.one(account_id))
    held = business.account_manager
    shown = {"person": held, "seen": held.public_id if held else ""}
    form = AccountManagerForm(initial=shown)
    return _shown(request, business, form)


@staff_page(Permission.ACCOUNT_MANAGE, methods=("POST",))
def set_account_manager(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Set or clear the account manager of a business."""
    business = get_object_or_404(business_register.one(account_id))
    form = AccountManagerForm(request.POST)
    if form.is_valid():
        said = form.cleaned_data | {"by": request.user}
        if attempt(form, lambda: businesses.set_account_manager(business, **said)):
            messages.success(request, _("The account manager is saved."))
            return redirect("apikeys:business", account_id)
    return _shown(request, business, form)


@staff_page(Permission.ACCOUNT_MANAGE, methods=("POST",))
def set_several_managers(request: ConsoleRequest) -> HttpResponse:
    """Set the account manager of the chosen businesses, and return to the register."""
    form, wanted = AccountManagerForm(request.POST), several.chosen(request)
    found = Business.objects.filter(public_id__in=wanted).order_by(NameOrder("name"), "pk")
    if form.is_valid():
        person = form.cleaned_data["person"]
        several.each(
            request,
            wanted,
            [(one.public_id, one.name, one) for one in found],
            lambda business, seen: businesses.set_account_manager(
                business, person, seen=seen, by=request.user
            ),
        )
    else:
        messages.warning(request, _("Nothing was changed: choose one of our account managers."))
    return redirect(f"{reverse('apikeys:businesses')}?{request.GET.urlencode()}")


def main_contact(applications: list[Application]) -> dict[str, str]:
    """Return name, position, e-mail and phone of the main contact in the newest submission."""
    newest = next((one.submission for one in applications if one.submission), None)
    answers = newest.answers if newest else {}
    keys = ("name", "title", "email", "phone")
    return {key: str(answers.get(f"li_contact_{key}") or "") for key in keys} if newest else {}


def _row(business: Any) -> dict[str, Any]:
    return {
        "business": business,
        "stage": BusinessStage(business.stage),
        "stalled": business_register.is_stalled(business),
    }


def _shown(request: ConsoleRequest, business: Business, form: AccountManagerForm) -> HttpResponse:
    applications = list(Application.objects.of(business).select_related("submission"))
    packs = list(Pack.objects.of(business).select_related("application"))
    ids = [*(one.public_id for one in applications), *(one.public_id for one in packs)]
    moved = history.status_since(ids)
    members = Membership.objects.filter(business=business).select_related("user")
    context = _row(business) | {
        "form": form,
        "members": members.order_by(NameOrder("user__name"), "pk"),
        "contact": main_contact(applications),
        "applications": [(one, moved.get(one.public_id, one.started_at)) for one in applications],
        "packs": [(one, moved.get(one.public_id, one.created_at)) for one in packs],
        "grants": Grant.objects.of(business).exclude(opened_at=None),
        "log_url": pages_above.address("request_log", business.public_id),
        "limits_url": pages_above.address("live_limits", business.public_id),
        "may_set": access.allows(request.roles, Permission.ACCOUNT_MANAGE),
    }
    status = 422 if form.errors else 200
    return render(request, "apikeys/register/business.html", context, status=status)
