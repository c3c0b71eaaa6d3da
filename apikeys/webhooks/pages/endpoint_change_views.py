"""Pages on which a business changes one endpoint."""

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apikeys.webhooks import deliveries, endpoints, verification
from apikeys.webhooks.pages import endpoint_health
from apikeys.webhooks.pages.endpoint_views import find, show_once
from apikeys.webhooks.pages.forms import EditEndpointForm, MoveForm, RotateSecretForm
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell.forms import attempt, posted


@business_page(Permission.WEBHOOK_EDIT, methods=("GET", "POST"))
def edit(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Change the kinds and the description of an endpoint."""
    endpoint = find(business, endpoint_id)
    form = EditEndpointForm(posted(request), endpoint=endpoint)
    if form.is_valid():
        changing = partial(endpoints.change, endpoint, **form.cleaned_data, by=request.user)
        if attempt(form, changing, on="enabled_events"):
            return _done(request, business, endpoint_id, _("We have saved the endpoint."))
    context = {"business": business, "endpoint": endpoint, "form": form}
    return render(request, "apikeys/webhooks/edit_endpoint.html", context)


@business_page(Permission.WEBHOOK_EDIT, step_up=True, methods=("GET", "POST"))
def move(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Change the URL of an endpoint, which must then be verified again."""
    endpoint = find(business, endpoint_id)
    form = MoveForm(posted(request), initial={"url": endpoint.url})
    if form.is_valid():
        moving = partial(endpoints.move, endpoint, form.cleaned_data["url"], by=request.user)
        if attempt(form, moving, on="url"):
            said = _("You have changed the address. Verify it now.")
            return _done(request, business, endpoint_id, said)
    context = {"business": business, "endpoint": endpoint, "form": form}
    return render(request, "apikeys/webhooks/move_endpoint.html", context)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def pause(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    endpoints.refuse_stopped(endpoints.pause(find(business, endpoint_id), by=request.user))
    said = _("You have paused the endpoint. We hold its events until you resume it.")
    return _done(request, business, endpoint_id, said)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def resume(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Resume an endpoint, with or without its held events."""
    endpoint = find(business, endpoint_id)
    if "skip" in request.POST:
        skipped = deliveries.resume_without_held(endpoint, by=request.user)
        said = _("You have resumed the endpoint. Skipped held events: %(count)s.")
        return _done(request, business, endpoint_id, said % {"count": f"{skipped:,}"})
    endpoints.resume(endpoint, by=request.user)
    said = _("You have resumed the endpoint. Held until now: %(held)s.")
    held = endpoint_health.waiting(endpoint).words.lower()
    return _done(request, business, endpoint_id, said % {"held": held})


@business_page(Permission.WEBHOOK_EDIT, step_up=True, methods=("GET", "POST"))
def rotate(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Ask whether the previous secret ends now, then show the new one once."""
    endpoint = find(business, endpoint_id)
    initial = {"replaces": endpoint.secret_set_at}
    form = RotateSecretForm(posted(request), initial=initial)
    if form.is_valid():
        made = endpoints.rotate_secret(endpoint, **form.cleaned_data, by=request.user)
        return show_once(request, *made)
    context = {"business": business, "endpoint": endpoint, "form": form}
    return render(request, "apikeys/webhooks/rotate_secret.html", context)


@business_page(Permission.WEBHOOK_EDIT, step_up=True, methods=("POST",))
def end_overlap(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """End the previous secret now."""
    endpoints.end_overlap(find(business, endpoint_id), by=request.user)
    said = _("From now on we sign only with the newest secret.")
    return _done(request, business, endpoint_id, said)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def verify(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Start the verification of an endpoint."""
    verification.ask(find(business, endpoint_id), by=request.user)
    return redirect("apikeys:endpoint", business.public_id, endpoint_id)


@business_page(Permission.WEBHOOK_EDIT, methods=("POST",))
def ping(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Send a test event, and show its delivery."""
    delivery = deliveries.ping(find(business, endpoint_id), by=request.user)
    messages.success(request, _("We are sending a test event."))
    return redirect("apikeys:delivery", business.public_id, endpoint_id, delivery.public_id)


@business_page(Permission.WEBHOOK_EDIT, methods=("GET", "POST"))
def remove(request: ConsoleRequest, business: Business, endpoint_id: str) -> HttpResponse:
    """Show what will be lost, then remove the endpoint."""
    endpoint = find(business, endpoint_id)
    if request.method == "POST":
        endpoints.remove(endpoint, by=request.user)
        messages.success(
            request, _("You have removed the endpoint %(url)s.") % {"url": endpoint.url}
        )
        return redirect("apikeys:webhooks", business.public_id)
    context = {
        "business": business,
        "endpoint": endpoint,
        "waiting": endpoint_health.waiting(endpoint),
    }
    return render(request, "apikeys/webhooks/remove_endpoint.html", context)


def _done(request: ConsoleRequest, business: Business, endpoint_id: str, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("apikeys:endpoint", business.public_id, endpoint_id)
