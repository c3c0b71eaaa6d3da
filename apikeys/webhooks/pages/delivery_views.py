"""Pages for the deliveries of an endpoint: list, detail and resend."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys.webhooks import deliveries
from apikeys.webhooks.models import WebhookDelivery, WebhookEndpoint
from apikeys.webhooks.pages import delivery_log
from apikeys.webhooks.pages.endpoint_views import find
from apikeys.webhooks.pages.forms import DeliveryFilterForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell import page_refresh


@business_page(Permission.WEBHOOK_VIEW)
def delivery_list(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """List an endpoint's deliveries, newest first."""
    endpoint = find(business, endpoint_id)
    form = DeliveryFilterForm(request.GET)
    filters = form.filters()
    page = delivery_log.page(endpoint, filters, after=request.GET.get("after", ""))
    context = {
        "business": business,
        "endpoint": endpoint,
        "form": form,
        "narrowed": filters != delivery_log.DeliveryFilters(),
        "page": page,
        "may_edit": access.allows(request.roles, Permission.WEBHOOK_EDIT),
    }
    return render(request, "apikeys/webhooks/deliveries.html", context)


@business_page(Permission.WEBHOOK_VIEW)
def delivery_page(
    request: ConsoleRequest, business: Business, endpoint_id: str, delivery_id: str
) -> HttpResponse:
    """Show one delivery: every attempt, when the next one is due, and the exact body."""
    endpoint = find(business, endpoint_id)
    delivery = _find(endpoint, delivery_id)
    state = f"{delivery.status} {delivery.attempts}"
    if asked := page_refresh.answer(request, state):
        return asked
    body = deliveries.body(delivery)
    context = {
        "state": state,
        "business": business,
        "endpoint": endpoint,
        "listed": delivery_log.listed(endpoint, delivery),
        "attempts": deliveries.attempts(delivery),
        "kept_days": delivery_log.attempt_days(endpoint),
        "next_due": deliveries.next_due(delivery),
        "body": None if body is None else body.decode(),
        "readable": None if body is None else _readable(body),
        "may_edit": access.allows(request.roles, Permission.WEBHOOK_EDIT),
    }
    return render(request, "apikeys/webhooks/delivery.html", context)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def resend(
    request: ConsoleRequest, business: Business, endpoint_id: str, delivery_id: str
) -> HttpResponse:
    """Resend the same event, byte for byte, and show the new delivery."""
    delivery = _find(find(business, endpoint_id), delivery_id)
    again = deliveries.resend(delivery, by=request.user)
    messages.success(request, _("We are sending the event again in a new delivery."))
    return redirect("apikeys:delivery", business.public_id, endpoint_id, again.public_id)


def _find(endpoint: WebhookEndpoint, delivery_id: str) -> WebhookDelivery:
    delivery = get_object_or_404(deliveries.deliveries_to(endpoint), public_id=delivery_id)
    delivery.endpoint = endpoint
    return delivery


def _readable(body: bytes) -> str:
    """Return the body indented for reading; the bytes sent and signed are not indented."""
    return json.dumps(json.loads(body), indent=2, ensure_ascii=False)
