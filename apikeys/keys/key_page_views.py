"""The page of one key, and the forms for changing its name, scopes and secret."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from apikeys.keys import key_expiry, key_views, keys, rotation
from apikeys.keys.forms import ExtendForm, NarrowForm, RenameForm, RotateForm
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import clock
from console.shell.forms import posted

SOON = timedelta(days=30)


@business_page(Permission.KEY_VIEW)
def key_page(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Show a key: its scopes, where it was used, and the state of its rotation."""
    return _page(request, key_views.find(business, key_id))


@business_page(Permission.KEY_ISSUE, methods=("POST",))
def rename(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    key = key_views.find(business, key_id)
    form = RenameForm(request.POST)
    if not form.is_valid():
        return _page(request, key, rename=form)
    key = keys.rename(key, form.cleaned_data["name"], by=request.user)
    messages.success(request, _("You have renamed the key to “%(name)s”.") % {"name": key.name})
    return redirect("apikeys:key", business.public_id, key_id)


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("POST",))
def narrow(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Keep only the selected scopes of a key."""
    key = key_views.find(business, key_id)
    form = NarrowForm(request.POST, key=key)
    if not form.is_valid():
        return _page(request, key, narrow=form)
    key = keys.narrow(key, form.cleaned_data["scopes"], by=request.user)
    messages.success(
        request,
        _("You have removed scopes from “%(name)s”. It now has %(count)s.")
        % {"name": key.name, "count": len(key.scopes)},
    )
    return redirect("apikeys:key", business.public_id, key_id)


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("GET", "POST"))
def rotate(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Ask for the old secret's grace period, then show the new secret once."""
    key = key_views.find(business, key_id)
    if request.method != "POST" and key.status != KeyStatus.ACTIVE:
        return redirect("apikeys:key", business.public_id, key_id)
    initial = {"grace": "24h", "replaces": key.secret_set_at}
    form = RotateForm(posted(request), initial=initial)
    if form.is_valid():
        grace, replaces = rotation.GRACES[form.cleaned_data["grace"]], form.cleaned_data["replaces"]
        made = rotation.rotate(key, grace=grace, replaces=replaces, by=request.user)
        return key_views.show_once(request, *made)
    return render(request, "apikeys/rotate.html", {"business": business, "key": key, "form": form})


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("POST",))
def end_former(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """End the old secret now."""
    done = _("The old secret of “%(name)s” has stopped working.")
    return _change(request, business, key_id, rotation.end_former, done)


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("POST",))
def extend_former(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Extend the old secret by 24 hours."""
    done = _("We have extended the old secret of “%(name)s” by 24 hours, up to the 7-day limit.")
    form = ExtendForm(request.POST)
    extend = partial(rotation.extend_former, ends_at=form.ends_at())
    return _change(request, business, key_id, extend, done)


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("POST",))
def enable(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Enable a key that was disabled because it was unused."""
    done = _("The key “%(name)s” works again.")
    return _change(request, business, key_id, key_expiry.enable, done)


def _change(
    request: ConsoleRequest,
    business: Business,
    key_id: str,
    verb: Callable[..., ApiKey],
    done: str,
) -> HttpResponse:
    key = verb(key_views.find(business, key_id), by=request.user)
    messages.success(request, done % {"name": key.name})
    return redirect("apikeys:key", business.public_id, key_id)


def _page(
    request: ConsoleRequest,
    key: ApiKey,
    *,
    rename: RenameForm | None = None,
    narrow: NarrowForm | None = None,
) -> HttpResponse:
    context = {
        "business": key.business,
        "key": key,
        "uses": key.uses.order_by("-at"),
        "rename": rename or RenameForm(initial={"name": key.name}),
        "narrow": narrow or NarrowForm(key=key),
        "ends_soon": key.opens and key.expires_at - clock.now() < SOON,
        "may_change": access.allows(request.roles, Permission.KEY_ISSUE),
        "may_edit_networks": access.allows(request.roles, Permission.NETWORK_EDIT),
        "may_revoke": access.allows(request.roles, Permission.KEY_REVOKE),
    }
    return render(request, "apikeys/key.html", context)
