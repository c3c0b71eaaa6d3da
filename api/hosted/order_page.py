"""Payment page of an order: payee, amount and payment methods, without details of the payer."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from api.sandbox.models import Order
from apikeys.lifecycle import Environment
from console.accounts.page_access import public_page


@public_page()
def order(request: HttpRequest, token: str) -> HttpResponse:
    """Show how to pay an order."""
    found = get_object_or_404(Order.objects.select_related("business"), token=token)
    context = {
        "order": found,
        "recipient_name": found.recipient_name,
        "channels": found.CHANNELS,
        "is_simulated": found.environment == Environment.SANDBOX,
    }
    response = render(request, "api/order.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response
