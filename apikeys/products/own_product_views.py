"""The page on which a business reads where its products stand."""

from django.http import HttpResponse
from django.shortcuts import render

from apikeys.products import product_overview
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission


@business_page(Permission.BUSINESS_VIEW)
def own_products(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show what the business asked for, and what became of it."""
    lines = product_overview.of_business(business)
    named = product_overview.requested_or_decided(lines)
    context = {
        "business": business,
        "lines": named,
        "others": [line.product for line in lines if line not in named],
        "unserved": product_overview.unserved_in_live(
            line.product.key for line in named if line.is_approved
        ),
    }
    return render(request, "apikeys/products/own.html", context)
