"""The page of an order: who is paid, how much, and how. It shows nothing of who pays."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from api.sandbox import orders
from api.sandbox.models import Order
from apikeys.lifecycle import Environment
from console.accounts.page_access import public_page
from onboarding import application_facts


@public_page()
def order(request: HttpRequest, token: str) -> HttpResponse:
    """Say how to pay an order."""
    found = get_object_or_404(Order.objects.select_related("business"), token=token)
    context = {
        "order": found,
        "recipient_name": application_facts.legal_name(found.business),
        "channels": orders.CHANNELS,
        "is_simulated": found.environment == Environment.SANDBOX,
    }
    response = render(request, "api/order.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response
