"""Staff pages: the endpoints of one business, and pausing a harmful one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apikeys.webhooks import endpoints
from apikeys.webhooks.lifecycle import PausedReason
from apikeys.webhooks.models import WebhookEndpoint
from apikeys.webhooks.pages import endpoint_health
from apikeys.webhooks.pages.forms import StopForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell.forms import posted

_VERBS = {
    "stop": (endpoints.stop_abuse, gettext_noop("You have stopped %(url)s.")),
    "resume": (endpoints.lift_abuse, gettext_noop("You have resumed %(url)s.")),
}


@staff_page(Permission.REVIEW_VIEW)
def staff_endpoints(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """List the endpoints of one business with their health."""
    business = get_object_or_404(Business, public_id=account_id)
    rows = WebhookEndpoint.objects.of(business).select_related("lane")
    context = {
        "business": business,
        "lines": endpoint_health.lines(rows),
        "may_stop": access.allows(request.roles, Permission.ACCESS_SUSPEND),
    }
    return render(request, "apikeys/webhooks/staff_endpoints.html", context)


@staff_page(Permission.ACCESS_SUSPEND, step_up=True, methods=("GET", "POST"))
def stop_or_lift(request: ConsoleRequest, account_id: str, endpoint_id: str) -> HttpResponse:
    """Pause an endpoint that harms its receiver, or resume one that our staff paused."""
    rows = WebhookEndpoint.objects.standing().select_related("business")
    endpoint = get_object_or_404(rows, business__public_id=account_id, public_id=endpoint_id)
    stopped = endpoint.paused_reason == PausedReason.ABUSE
    form = StopForm(posted(request))
    if form.is_valid():
        verb, said = _VERBS[form.cleaned_data["wanted"]]
        verb(endpoint, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, _(said) % {"url": endpoint.url})
        return redirect("apikeys:staff_endpoints", account_id)
    context = {
        "business": endpoint.business,
        "endpoint": endpoint,
        "stopped": stopped,
        "waiting": endpoint_health.waiting(endpoint),
        "form": form,
    }
    return render(request, "apikeys/webhooks/stop_endpoint.html", context)
