"""The page for a replay: count the deliveries of a range, then resend them."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apikeys.webhooks import replays
from apikeys.webhooks.lifecycle import ReplayStatus
from apikeys.webhooks.models import ReplayJob, WebhookEndpoint
from apikeys.webhooks.pages import endpoint_health
from apikeys.webhooks.pages.endpoint_views import find
from apikeys.webhooks.pages.forms import ReplayForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core.refusals import WrongStatus
from console.shell.forms import attempt, posted


@business_page(Permission.WEBHOOK_EDIT, methods=("GET", "POST"))
def replay(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Count the deliveries of a range; after confirmation, resend them."""
    endpoint = find(business, endpoint_id)
    form = ReplayForm(posted(request), initial={"seen": replays.newest_id(endpoint)})
    context = {"business": business, "endpoint": endpoint, "form": form}
    if form.is_valid():
        if "start" not in request.POST:
            context["counted"] = attempt(form, lambda: _counted(endpoint, form))
        elif attempt(form, _starting(request, endpoint, form)):
            messages.success(request, _("We are replaying the deliveries."))
            return redirect("apikeys:endpoint", business.public_id, endpoint_id)
    return render(request, "apikeys/webhooks/replay.html", context)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def cancel_replay(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    endpoint = find(business, endpoint_id)
    job = endpoint.replays.filter(status=ReplayStatus.RUNNING).first()
    if job is None:
        raise WrongStatus(_("No replay is running."))
    replays.cancel(job, by=request.user)
    messages.success(
        request,
        _("You have stopped the replay. We still deliver the events that are already queued."),
    )
    return redirect("apikeys:endpoint", business.public_id, endpoint_id)


def _starting(
    request: ConsoleRequest, endpoint: WebhookEndpoint, form: ReplayForm
) -> Callable[[], ReplayJob]:
    wanted, seen = form.wanted(), form.cleaned_data["seen"]
    return partial(replays.start, endpoint, wanted, seen=seen, by=request.user)


def _counted(endpoint: WebhookEndpoint, form: ReplayForm) -> endpoint_health.WaitingCount:
    """Return the number of deliveries in the range; add a refusal to the form."""
    return endpoint_health.WaitingCount(replays.count(endpoint, form.wanted()))
