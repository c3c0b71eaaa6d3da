"""Pages for listing, creating and revoking a business's keys."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from apikeys import sandbox_readiness
from apikeys.keys import keys
from apikeys.keys.forms import NewKeyForm, RevokeForm, StoredForm
from apikeys.keys.presets import PRESETS, USUAL
from apikeys.lifecycle import KEY_LIFECYCLE, Environment
from apikeys.models import ApiKey, Grant
from apikeys.secrets import Minted
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import pages_above
from console.core.refusals import Blocker, NotReady
from console.shell import page_refresh
from console.shell.forms import attempt


@business_page(Permission.KEY_VIEW)
def key_list(request: ConsoleRequest, business: Business) -> HttpResponse:
    """List the keys, or show what is missing before the first one."""
    grants = Grant.objects.of(business).select_related("business")
    held = {grant.environment: grant for grant in grants}
    grant, live = held.get(Environment.SANDBOX), held.get(Environment.LIVE)
    state = grant.status if grant else ""
    if asked := page_refresh.answer(request, state):
        return asked
    is_open = grant is not None and grant.is_open
    conditions = [] if is_open else sandbox_readiness.conditions(business)
    context = {
        "business": business,
        "grant": grant,
        "live": live if live and live.opened_at else None,
        "live_blockers": keys.issue_blockers(live) if live and live.opened_at else [],
        "keys": ApiKey.objects.of(business),
        "conditions": conditions,
        "opens": all(condition.holds for condition in conditions),
        "state": state,
        "blockers": _issue_blockers(business, grant),
        "documentation_url": pages_above.address("docs"),
        "may_issue": access.allows(request.roles, Permission.KEY_ISSUE),
        "may_revoke": access.allows(request.roles, Permission.KEY_REVOKE),
        "may_edit_signing": access.allows(request.roles, Permission.SIGNING_EDIT),
    }
    return render(request, "apikeys/keys.html", context)


@business_page(Permission.KEY_ISSUE, step_up=True, methods=("GET", "POST"))
def new_key(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Ask for name, scopes and expiry of a new key, then show its secret once."""
    grant = _open_grant(business, request.GET.get("environment", Environment.SANDBOX))
    preset = request.GET.get("preset", USUAL[Environment(grant.environment)])
    form = NewKeyForm(request.POST or None, grant=grant, preset=preset)
    if request.method == "POST" and form.is_valid():
        issued = attempt(form, lambda: _issue(form, grant, request))
        if issued:
            return show_once(request, *issued)
    context = {
        "business": business,
        "grant": grant,
        "form": form,
        "presets": PRESETS,
        "chosen": preset,
        "documentation_url": pages_above.address("docs"),
    }
    return render(request, "apikeys/new_key.html", context)


@business_page(Permission.KEY_ISSUE, methods=("POST",))
def stored(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Mark the secret as stored."""
    key, form = find(business, key_id), StoredForm(request.POST)
    if form.is_valid() and form.cleaned_data["stored"]:
        keys.note_stored(key, seen=form.cleaned_data["seen"], by=request.user)
        messages.success(request, _("The key “%(name)s” is ready to use.") % {"name": key.name})
    else:
        messages.warning(
            request, _("Store the secret of “%(name)s”, then tick the box.") % {"name": key.name}
        )
    return redirect("apikeys:keys", business.public_id)


@business_page(Permission.KEY_REVOKE, methods=("GET", "POST"))
def revoke(request: ConsoleRequest, business: Business, key_id: str) -> HttpResponse:
    """Ask for the key's name as confirmation, then revoke it."""
    key = find(business, key_id)
    if request.method != "POST" and key.status in KEY_LIFECYCLE.final:
        return redirect("apikeys:keys", business.public_id)
    form = RevokeForm(request.POST or None, key=key)
    if request.method == "POST" and form.is_valid():
        keys.revoke(key, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(
            request,
            _("You have revoked the key “%(name)s”. It has stopped working.") % {"name": key.name},
        )
        return redirect("apikeys:keys", business.public_id)
    context = {"business": business, "key": key, "form": form}
    return render(request, "apikeys/revoke.html", context)


def find(business: Business, key_id: str) -> ApiKey:
    """Return a key of the business, or raise Http404."""
    return get_object_or_404(ApiKey.objects.of(business), public_id=key_id)


def _open_grant(business: Business, environment: str) -> Grant:
    grants = Grant.objects.of(business).filter(
        environment__in={environment} & {*Environment.values}
    )
    grant = grants.first()
    blockers = _issue_blockers(business, grant)
    if grant is None or blockers:
        raise NotReady(_("You cannot create a key yet."), blockers=blockers)
    return grant


def _issue(form: NewKeyForm, grant: Grant, request: ConsoleRequest) -> tuple[ApiKey, Minted]:
    return keys.issue(
        grant,
        name=form.cleaned_data["name"],
        scopes=form.cleaned_data["scopes"],
        expires_at=form.expires_at(),
        once=form.cleaned_data["once"],
        by=request.user,
    )


def show_once(request: ConsoleRequest, key: ApiKey, minted: Minted) -> HttpResponse:
    """Render the secret in a response that must not be cached."""
    context = {
        "business": key.business,
        "grant": key.grant,
        "keys": ApiKey.objects.of(key.business),
        "key": key,
        "plain": minted.plain,
        "address": request.build_absolute_uri(settings.API_ROOTS[key.environment] + "/me"),
        "documentation_url": pages_above.address("docs"),
    }
    response = render(request, "apikeys/shown_once.html", context)
    response.headers["Cache-Control"] = "no-store, private"
    return response


def _issue_blockers(business: Business, grant: Grant | None) -> list[Blocker]:
    """Return why no key can be created now, or "" if one can."""
    if grant is not None:
        return keys.issue_blockers(grant)
    waiting = [Blocker("opening", _("We are opening your sandbox. Try again in a moment."))]
    return sandbox_readiness.blockers(business) or waiting
