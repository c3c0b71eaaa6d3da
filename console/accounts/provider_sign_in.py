"""Signing in through the OpenID provider of our staff, and confirming it is you.

Code flow with PKCE, state and nonce. These functions take the request, because they change its
session.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import DataError, IntegrityError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import (
    provider_accounts,
    provider_client,
    provider_sessions,
    signin,
    stepup,
)
from console.accounts.mailboxes import as_shown
from console.accounts.models import ProviderAccount
from console.accounts.provider_accounts import ProviderIdentity, SignOnRefused
from console.core import clock, text

_BEGUN = "provider_begun"
_BEGUN_FOR = timedelta(minutes=10)
_SKEW = timedelta(seconds=30)
_MOST_SUBJECT, _MOST_EMAIL = 255, 254  # what the database stores
_STATES = "_state_staff_"  # the session keys in which `authlib` keeps what it asked


def begin(request: HttpRequest, to: str) -> HttpResponse:
    """Redirect to the provider; in a session of its own, to enter the password there again."""
    again = stepup.by_provider(request)
    fresh: dict[str, Any] = {"prompt": "login", "max_age": 0} if again else {}
    back = settings.BASE_URL.rstrip("/") + reverse("accounts:provider_back")
    for key in tuple(request.session.keys()):
        if key.startswith(_STATES):  # of a sign-in that was not finished
            del request.session[key]
    try:
        answer: HttpResponse = provider_client.client().authorize_redirect(request, back, **fresh)
    except provider_client.FAILURES as failure:
        provider_client.note(failure)
        raise _refusal() from failure
    at, sealed = clock.now().isoformat(), signin.sealed_way(to)
    request.session[_BEGUN] = {"at": at, "again": again, "to": sealed}
    return answer


def finish(request: HttpRequest) -> str:
    """Sign in, or confirm it is you, with the provider's answer. Return where to go next."""
    begun = request.session.pop(_BEGUN, None)
    if not begun or clock.now() - datetime.fromisoformat(begun["at"]) > _BEGUN_FOR:
        raise _refusal()
    try:
        tokens, proved_at, identity = _answer(request)
    except provider_client.FAILURES as failure:
        provider_client.note(failure)
        raise _refusal() from failure
    if begun["again"]:
        _confirm(request, identity, proved_at, datetime.fromisoformat(begun["at"]))
    else:
        try:
            account = provider_accounts.account_for(identity)
        except (IntegrityError, DataError) as failure:  # two first sign-ins at once
            provider_client.note(failure)
            raise _refusal() from failure
        signin.enter(request, account.user, by="provider", factor=account)
    if proved_at is not None:
        stepup.stamp(request, by="provider", at=proved_at)
    provider_sessions.keep(request, tokens)
    return signin.opened_way(begun["to"])


def _answer(request: HttpRequest) -> tuple[Any, datetime | None, ProviderIdentity]:
    """Redeem the code, check the ID token, and read what the provider says about the person.

    Return the tokens, when the person proved their identity there, and who it is.
    """
    issuer, client = settings.OIDC_ISSUER, provider_client.client()
    if request.GET.get("iss", issuer) != issuer:  # RFC 9207
        raise ValueError("another issuer")
    expected = {
        "iss": {"essential": True, "value": issuer},
        "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
    }
    tokens = client.authorize_access_token(request, claims_options=expected, leeway=30)
    claims = tokens.pop("userinfo")
    said, subject = client.userinfo(token=provider_client.bearer(tokens)), str(claims["sub"])
    if said["sub"] != claims["sub"]:
        raise ValueError("another person")
    # A provider that says false is believed, whatever the setting.
    verified = said.get("email_verified", settings.OIDC_TRUST_EMAIL) is True
    email = as_shown(str(said.get("email", "")).strip().lower()) if verified else ""
    for value, most in ((subject, _MOST_SUBJECT), (email, _MOST_EMAIL)):
        if len(value) > most or text.unsafe_characters(value):
            raise ValueError("a subject or e-mail address that cannot be stored")
    if (groups := provider_client.groups_in(said)) is None:
        tokens["groups"] = provider_client.groups_in_token(claims)
        groups = frozenset(tokens["groups"])
    who = ProviderIdentity(issuer, subject, email, str(said.get("name", "")), groups)
    return tokens, _proved_at(claims), who


def _proved_at(claims: Any) -> datetime | None:
    """Return when the person proved their identity, if the provider says it; never in future."""
    at = claims.get("auth_time")
    if not isinstance(at, int | float):
        return None
    return datetime.fromtimestamp(min(max(0, at), clock.now().timestamp()), UTC)


def _confirm(
    request: HttpRequest, identity: ProviderIdentity, proved_at: datetime | None, begun: datetime
) -> None:
    """Accept the login only if it is the same person's, and newer than our request for it."""
    account = ProviderAccount.objects.filter(
        user__pk=request.user.pk, issuer=identity.issuer, subject=identity.subject
    ).first()
    if account is None or proved_at is None or proved_at < begun - _SKEW:
        raise SignOnRefused(
            _(
                "You signed in there as somebody else, or your company account did not ask for "
                "your password. Nothing was changed. Try again."
            )
        )
    provider_accounts.renew_roles(account, identity.groups)
    signin.note_confirmed(request, account.user, by="provider", factor=account)


def _refusal() -> SignOnRefused:
    return SignOnRefused(_("We could not sign you in with your company account. Try again."))
