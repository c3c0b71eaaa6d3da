"""Pages for viewing and editing the allowlists of a business and its keys."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys import allowed_networks
from apikeys.allowlist import allowlist
from apikeys.allowlist.forms import AskNetworkForm, NetworksForm
from apikeys.models import ApiKey, Grant
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import addresses
from console.shell.forms import attempt, posted


@business_page(Permission.KEY_VIEW)
def allowlists(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the allowlists of the business and its keys, and the address of this request."""
    keys = ApiKey.objects.of(business).held().exclude(networks=[])
    context = {
        "business": business,
        "grants": [(grant, _covered(grant.networks)) for grant in Grant.objects.of(business)],
        "keys": [(key, _covered(key.networks)) for key in keys],
        "ip": addresses.client_ip(request),
        "may_edit": access.allows(request.roles, Permission.NETWORK_EDIT),
    }
    return render(request, "apikeys/allowlists.html", context)


@business_page(Permission.NETWORK_EDIT, step_up=True, methods=("GET", "POST"))
def edit_business(request: ConsoleRequest, business: Business, grant_id: str) -> HttpResponse:
    """Edit the allowlist of the business in one environment, or test a draft."""
    grant = get_object_or_404(Grant.objects.of(business), public_id=grant_id)
    return _edit(request, grant, None)


@business_page(Permission.NETWORK_EDIT, step_up=True, methods=("GET", "POST"))
def edit_key(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Edit the allowlist of one key, or test a draft."""
    key = get_object_or_404(ApiKey.objects.of(business), public_id=key_id)
    return _edit(request, key.grant, key)


@business_page(Permission.NETWORK_EDIT, step_up=True, methods=("GET", "POST"))
def ask_network(request: ConsoleRequest, business: Business, grant_id: str) -> HttpResponse:
    """Request a network that is wider than a business may add itself."""
    grant = get_object_or_404(Grant.objects.of(business), public_id=grant_id)
    form = AskNetworkForm(posted(request))
    if form.is_valid():
        typed = form.cleaned_data
        asking = partial(
            allowlist.ask, grant, typed["network"], reason=typed["reason"], by=request.user
        )
        if attempt(form, asking, on="network"):
            messages.success(
                request, _("We have received your request. Our compliance team will review it.")
            )
            return redirect("apikeys:allowlists", business.public_id)
    context = {"business": business, "grant": grant, "form": form}
    return render(request, "apikeys/ask_network.html", context)


def _edit(request: ConsoleRequest, grant: Grant, key: ApiKey | None) -> HttpResponse:
    held = key.networks if key else grant.networks
    form = NetworksForm(posted(request), initial=_initial(request, held))
    context = {
        "business": grant.business,
        "grant": grant,
        "key": key,
        "form": form,
        "ip": addresses.client_ip(request),
    }
    if form.is_valid():
        if "try" in request.POST:
            context |= _tried(form, grant, key)
        elif attempt(form, _saving(request, form, grant, key), on="networks"):
            messages.success(request, _("We have saved the allowlist. It applies now."))
            return redirect("apikeys:allowlists", grant.business.public_id)
    return render(request, "apikeys/edit_networks.html", context)


def _initial(request: ConsoleRequest, held: list[str]) -> dict[str, Any]:
    """Return the form's initial list, including the address of a link that asks to add one."""
    added = addresses.normal(request.GET.get("add", ""))
    listed = (
        [*held, added] if added and allowed_networks.match(added, tuple(held)) is None else held
    )
    return {"networks": "\n".join(listed), "seen": " ".join(held)}


def _saving(
    request: ConsoleRequest, form: NetworksForm, grant: Grant, key: ApiKey | None
) -> Callable[[], Grant | ApiKey]:
    said: dict[str, Any] = {"seen": form.listed(), "by": request.user}
    if key is not None:
        return lambda: allowlist.set_of_key(key, form.texts(), **said)
    return lambda: allowlist.set_of_business(grant, form.texts(), **said)


def _tried(form: NetworksForm, grant: Grant, key: ApiKey | None) -> dict[str, Any]:
    """Return what a list would allow and refuse, without saving it."""
    read = attempt(
        form,
        lambda: allowlist.read(form.texts(), grant.environment, held=grant.networks),
        on="networks",
    )
    if read is None:
        return {}
    refused = allowlist.refused(grant, key, read)
    return {"tried": _covered(read), "refused": refused, "was_tried": True}


def _covered(listed: list[str]) -> list[tuple[str, int]]:
    return [(network, allowed_networks.covers(network)) for network in listed]
