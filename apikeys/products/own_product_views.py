"""Pages on which a business sees the status of its products and requests further ones."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreements.models import Pack
from agreements.packs import product_prices
from apikeys.products import product_overview
from apikeys.products.forms import FurtherProductsForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, User
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.shell.forms import attempt, posted
from onboarding import application_progress
from onboarding.intake import further_products
from onboarding.lifecycle import OPEN
from onboarding.models import Application


@business_page(Permission.BUSINESS_VIEW)
def own_products(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the products the business requested and their status."""
    lines = product_overview.of_business(business)
    named = product_overview.requested_or_decided(lines)
    context = {
        "business": business,
        "lines": named,
        "others": [
            (line.product, pages_above.address("product_docs", line.product.key))
            for line in lines
            if line not in named
        ],
        "unserved": product_overview.unserved_in_live(
            line.product.key for line in named if line.is_approved
        ),
        "is_open": _has_open_application(business),
        "has_all": all(line.is_approved or line.is_base for line in lines),
        "may_request": access.allows(request.roles, Permission.APPLICATION_ANSWER)
        and Pack.objects.of(business).executed().exists(),
    }
    return render(request, "apikeys/products/own.html", context)


@business_page(Permission.APPLICATION_ANSWER, methods=("GET", "POST"))
def request_products(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Let the business choose further products, and start the application for them."""
    pack = Pack.objects.of(business).executed().first()
    if pack is None or _has_open_application(business):
        messages.info(request, _("Continue with your open application first."))
        return redirect("onboarding:access", business.public_id)
    offered = _offered(business, pack.tier)
    if not offered:
        messages.info(request, _("You have every product: there is none left to request."))
        return redirect("apikeys:own_products", business.public_id)
    form = FurtherProductsForm(posted(request), offered=offered)
    if form.is_valid() and _ask(business, form, by=request.user):
        said = _("We filled in your last answers. Check and complete them, then submit.")
        messages.success(request, said)
        return redirect("onboarding:access", business.public_id)
    return render(request, "apikeys/products/request.html", {"business": business, "form": form})


def _ask(business: Business, form: FurtherProductsForm, *, by: User) -> Application | None:
    """Start the application, or explain in the form why not."""
    ask = partial(further_products.ask, business, form.cleaned_data["products"], by=by)
    return attempt(form, ask, on="products")


def _has_open_application(business: Business) -> bool:
    newest = application_progress.newest(business)
    return newest is not None and newest.told_status in OPEN


def _offered(business: Business, tier: str) -> list[tuple[str, str, str]]:
    """Return the key, name, description and prices of each product the business does not have."""
    lines = product_overview.of_business(business)
    missing = [one.product for one in lines if not (one.is_approved or one.is_base)]
    prices = product_prices.in_words(missing, tier)
    return [
        (one.key, one.name, " ".join([str(one.what), *(f"{p}." for p in prices[one.key])]))
        for one in missing
    ]
