"""Signing in through the OpenID provider of our staff."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from console.accounts import limits, provider_accounts, stepup, throttle
from console.accounts.models import User
from console.accounts.page_access import public_page
from console.core import addresses
from console.shell.safe_redirects import way_on


@public_page()
def provider(request: HttpRequest) -> HttpResponse:
    """Go to the provider, to sign in or to confirm it is you."""
    if not settings.OIDC_ISSUER:
        raise Http404
    onward = way_on(request, reverse("shell:home"))
    person = request.user
    if (
        isinstance(person, User)
        and not stepup.by_provider(request)
        and not provider_accounts.must_use_provider(person)
    ):
        return redirect(onward)
    _count(request)
    from console.accounts import provider_sign_in  # with its library, only where it is used

    return provider_sign_in.begin(request, onward)


@public_page()
def provider_back(request: HttpRequest) -> HttpResponse:
    """Take the provider's answer, and continue."""
    if not settings.OIDC_ISSUER:
        raise Http404
    _count(request)
    from console.accounts import provider_sign_in

    return redirect(provider_sign_in.finish(request) or "shell:home")


def _count(request: HttpRequest) -> None:
    """Count a request that asks the provider, per address."""
    throttle.take("provider", addresses.network(request), limits.SIGN_IN_PER_ADDRESS)
