"""The settings of a business's payment pages: domains, localhost in the sandbox, and the logo."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from api.checkout import appearance, checkout_settings, domain_checks, domains, logo_view, widget
from api.checkout.forms import DomainForm, LocalhostForm, LogoForm
from api.checkout.models import CheckoutDomain
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell.forms import attempt

EDIT = Permission.CHECKOUT_EDIT


@business_page(Permission.PRODUCT_VIEW)
def settings_page(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the domains with their records, the switch for localhost, and what payers see."""
    return _page(request, business)


@business_page(EDIT, methods=("POST",))
def add_domain(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Add a domain."""
    form = DomainForm(request.POST)
    if form.is_valid():
        adding = partial(domains.add, business, form.cleaned_data["domain"], by=request.user)
        if added := attempt(form, adding, on="domain"):
            said = _("You have added %(domain)s. Set the record or the file, then verify it.")
            messages.success(request, said % {"domain": added.domain})
            return _back(business)
    return _page(request, business, domain_form=form)


@business_page(EDIT, methods=("POST",))
def check_domain(request: ConsoleRequest, business: Business, domain_id: str) -> HttpResponse:
    """Look for the proof of a domain now, which takes a few seconds."""
    domain = domain_checks.check(_find(business, domain_id), by=request.user)
    if domain.is_verified and domain.missed_at is None:
        said = _("We have found the proof of %(domain)s. It is verified.")
        messages.success(request, said % {"domain": domain.domain})
    else:
        said = _("We have not found the proof of %(domain)s. DNS changes can take an hour.")
        messages.warning(request, said % {"domain": domain.domain})
    return _back(business)


@business_page(EDIT, methods=("POST",))
def renew_domain(request: ConsoleRequest, business: Business, domain_id: str) -> HttpResponse:
    """Replace an expired token."""
    domain = domains.renew_token(_find(business, domain_id), by=request.user)
    said = _("%(domain)s has a new token. Set the record or the file, then verify it.")
    messages.success(request, said % {"domain": domain.domain})
    return _back(business)


@business_page(EDIT, methods=("GET", "POST"))
def remove_domain(request: ConsoleRequest, business: Business, domain_id: str) -> HttpResponse:
    """Say what stops working, then remove a domain."""
    domain = _find(business, domain_id)
    if request.method == "POST":
        domains.remove(domain, by=request.user)
        messages.success(request, _("You have removed %(domain)s.") % {"domain": domain.domain})
        return _back(business)
    context = {"business": business, "domain": domain}
    return render(request, "api/checkout/remove_domain.html", context)


@business_page(EDIT, methods=("POST",))
def allow_localhost(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Let localhost show sandbox payments, or no longer."""
    form = LocalhostForm(request.POST)
    if form.is_valid():
        checkout_settings.allow_localhost(business, **form.cleaned_data, by=request.user)
        messages.success(request, _("We have saved the setting."))
    return _back(business)


@business_page(EDIT, methods=("POST",))
def set_logo(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Set the logo that payers see."""
    form = LogoForm(request.POST, request.FILES)
    if form.is_valid():
        setting = partial(
            checkout_settings.set_logo, business, form.data_of_file(), by=request.user
        )
        attempt(form, setting, on="file")
    if form.is_valid():
        messages.success(request, _("Payers see your new logo now."))
        return _back(business)
    return _page(request, business, logo_form=form)


@business_page(EDIT, methods=("POST",))
def remove_logo(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Remove the logo."""
    checkout_settings.remove_logo(business, by=request.user)
    messages.success(request, _("Payers see your initials now."))
    return _back(business)


@business_page(Permission.PRODUCT_VIEW)
def logo_preview(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Serve the logo on the console's own host."""
    sha256 = checkout_settings.of(business).logo
    if not sha256:
        raise Http404
    return logo_view.png(sha256)


def _page(request: ConsoleRequest, business: Business, **bound: Any) -> HttpResponse:
    current = checkout_settings.of(business)
    context = {
        "business": business,
        "domains": CheckoutDomain.objects.of(business),
        "most": domains.MOST_DOMAINS,
        "shown": appearance.of_business(business),
        "may_edit": access.allows(request.roles, EDIT),
        "domain_form": DomainForm(),
        "localhost_form": LocalhostForm({"allowed": current.allows_localhost}),
        "logo_form": LogoForm(),
        "snippet": widget.snippet(),
        "guide": reverse("api:checkout_guide"),
        **bound,
        "problems": any(form.errors for form in bound.values()),
    }
    return render(request, "api/checkout/settings.html", context)


def _find(business: Business, domain_id: str) -> CheckoutDomain:
    return get_object_or_404(CheckoutDomain.objects.of(business), public_id=domain_id)


def _back(business: Business) -> HttpResponse:
    return redirect("api:checkout_settings", business.public_id)
