"""Pages for the endpoints of a business: list, create and detail."""

from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from apikeys.lifecycle import Environment
from apikeys.webhooks import endpoint_rules, endpoints, verification
from apikeys.webhooks.lifecycle import ReplayStatus
from apikeys.webhooks.models import WebhookEndpoint
from apikeys.webhooks.pages import delivery_log, endpoint_health, health_strip, probe_words
from apikeys.webhooks.pages.forms import NewEndpointForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.core.refusals import NotReady
from console.shell import page_refresh
from console.shell.forms import attempt, posted


@business_page(Permission.WEBHOOK_VIEW)
def endpoint_list(request: ConsoleRequest, business: Business) -> HttpResponse:
    """List the endpoints of each environment with their health."""
    found = endpoint_health.lines(WebhookEndpoint.objects.of(business).select_related("lane"))
    groups = [
        (environment, [line for line in found if line.endpoint.environment == environment])
        for environment in Environment
    ]
    context = {
        "business": business,
        "groups": groups,
        "blockers": endpoint_rules.create_blockers(business, Environment.SANDBOX),
        "documentation_url": pages_above.address("webhooks_guide"),
        "may_edit": access.allows(request.roles, Permission.WEBHOOK_EDIT),
    }
    return render(request, "apikeys/webhooks/endpoints.html", context)


@business_page(Permission.WEBHOOK_EDIT, step_up=True, methods=("GET", "POST"))
def new_endpoint(request: ConsoleRequest, business: Business, environment: str) -> HttpResponse:
    """Ask for a URL and kinds, create the endpoint, and show its signing secret once."""
    if environment not in Environment.values:
        raise Http404
    place = Environment(environment)
    if blockers := endpoint_rules.create_blockers(business, place):
        raise NotReady(_("You cannot create an endpoint now."), blockers=blockers)
    form = NewEndpointForm(posted(request))
    if form.is_valid():
        creating = partial(endpoints.create, business, place, **form.cleaned_data, by=request.user)
        if created := attempt(form, creating, on="url"):
            return show_once(request, *created)
    context = {"business": business, "environment": place, "form": form}
    return render(request, "apikeys/webhooks/new_endpoint.html", context)


@business_page(Permission.WEBHOOK_VIEW)
def endpoint_page(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Show one endpoint: verification, health, pending deliveries and recent ones."""
    endpoint = find(business, endpoint_id)
    probe = verification.newest(endpoint)
    replay = endpoint.replays.order_by("-pk").first()
    asked = probe is not None and probe.ended_at is None
    moves = asked or (replay is not None and replay.status == ReplayStatus.RUNNING)
    # Reload the whole page, not only the polled part, when the polled state changes.
    if page_refresh.is_asked_by_page(request) and not moves:
        return HttpResponseClientRefresh()
    strip = health_strip.strip_of(endpoint)
    context = {
        "business": business,
        "endpoint": endpoint,
        "health": endpoint_health.lines([endpoint])[0],
        "strip": strip,
        "strip_words": health_strip.words(strip),
        "waiting": endpoint_health.waiting(endpoint),
        "newest": delivery_log.newest(endpoint),
        "probe": probe,
        "probe_lines": probe_words.lines(probe),
        "asked": asked,
        "replay": replay,
        "moves": moves,
        "documentation_url": pages_above.address("webhooks_guide"),
        "may_edit": access.allows(request.roles, Permission.WEBHOOK_EDIT),
    }
    return render(request, "apikeys/webhooks/endpoint.html", context)


def find(business: Business, endpoint_id: str) -> WebhookEndpoint:
    """Return an endpoint of the business, with its lane, or raise Http404."""
    rows = WebhookEndpoint.objects.of(business).select_related("lane", "business")
    return get_object_or_404(rows, public_id=endpoint_id)


def show_once(request: ConsoleRequest, endpoint: WebhookEndpoint, secret: str) -> HttpResponse:
    """Show the signing secret in a response that must not be cached."""
    context = {
        "business": endpoint.business,
        "endpoint": endpoint,
        "secret": secret,
        "documentation_url": pages_above.address("webhooks_guide"),
    }
    response = render(request, "apikeys/webhooks/secret_shown_once.html", context)
    response.headers["Cache-Control"] = "no-store, private"
    return response
