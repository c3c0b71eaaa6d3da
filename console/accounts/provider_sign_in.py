"""Signing in through the OpenID provider of our staff, with `authlib`.

Code flow with PKCE, state and nonce. Sessions keep the provider's tokens, encrypted, and read the
person's groups again at least once a minute: see `has_left`. These functions take the request,
because they change its session.
"""

import base64
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import DjangoIntegration, DjangoOAuth2App
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from joserfc.errors import JoseError

from console.accounts import access, provider_accounts, signin, stepup
from console.accounts.actors import SYSTEM
from console.accounts.models import ProviderAccount, User
from console.accounts.provider_accounts import ProviderIdentity, SignOnRefused
from console.core import clock, vault

# How old what the provider said may be.
STALE_AFTER = timedelta(seconds=60)
_BEGUN = "provider_begun"
_BEGUN_FOR = timedelta(minutes=10)
_SKEW = timedelta(seconds=30)
_TOKENS = "provider.tokens"
_SECONDS = 10
# Signatures that need the provider's private key; never one with a shared secret, or none.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
# What `authlib` and its HTTP client raise; errors of the network are OSErrors.
_FAILURES = (AuthlibBaseError, JoseError, OSError, ValueError, KeyError, TypeError, RuntimeError)


@cache
def _client_of(issuer: str, client_id: str, secret: str) -> Any:
    return DjangoOAuth2App(
        DjangoIntegration("staff"),
        name="staff",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": _SECONDS,
        },
    )


def _client() -> Any:
    """Return the client of the configured provider, which must name itself as we know it."""
    issuer, secret = settings.OIDC_ISSUER, settings.OIDC_CLIENT_SECRET
    client = _client_of(issuer, settings.OIDC_CLIENT_ID, secret)
    metadata = client.load_server_metadata()
    offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
    allowed = [name for name in offered if name in _ALGORITHMS]
    if metadata["issuer"] != issuer or not allowed:
        raise ValueError("another issuer, or no algorithm that we accept")
    metadata["id_token_signing_alg_values_supported"] = allowed
    return client


def begin(request: HttpRequest, to: str) -> HttpResponse:
    """Redirect to the provider; in a session of its own, to enter the password there again."""
    again = stepup.by_provider(request)
    fresh: dict[str, Any] = {"prompt": "login", "max_age": 0} if again else {}
    back = settings.BASE_URL.rstrip("/") + reverse("accounts:provider_back")
    try:
        answer: HttpResponse = _client().authorize_redirect(request, back, **fresh)
    except _FAILURES as failure:
        raise _refusal() from failure
    at, sealed = clock.now().isoformat(), signin.sealed_way(to)
    request.session[_BEGUN] = {"at": at, "again": again, "to": sealed}
    return answer


def finish(request: HttpRequest) -> str:
    """Sign in, or confirm it is you, with the provider's answer. Return where to go on to."""
    begun = request.session.pop(_BEGUN, None)
    if not begun or clock.now() - datetime.fromisoformat(begun["at"]) > _BEGUN_FOR:
        raise _refusal()
    try:
        tokens, proved_at, identity = _answer(request)
    except _FAILURES as failure:
        raise _refusal() from failure
    if begun["again"]:
        _confirm(request, identity, proved_at, datetime.fromisoformat(begun["at"]))
    else:
        account = provider_accounts.account_for(identity)
        signin.enter(request, account.user, by="provider", factor=account)
    if proved_at is not None:
        stepup.stamp(request, by="provider", at=proved_at)
    _keep(request, tokens)
    return signin.opened_way(begun["to"])


def has_left(request: HttpRequest, person: User) -> bool:
    """Tell whether the provider no longer gives this session's user a role.

    Asks at most once in `STALE_AFTER`. A provider that does not answer gives none.
    """
    kept = request.session.get(stepup.PROVIDER)
    if not kept or clock.now() - datetime.fromisoformat(kept["at"]) < STALE_AFTER:
        return False
    account = ProviderAccount.objects.filter(user=person, issuer=settings.OIDC_ISSUER).first()
    try:
        tokens = json.loads(vault.open_(base64.b64decode(kept["tokens"]), _TOKENS))
        tokens, groups = _groups_now(tokens, account)
    except (*_FAILURES, vault.VaultBroken):
        return True
    assert account is not None
    provider_accounts.apply_groups(account, groups, by=SYSTEM)
    _keep(request, tokens)
    return not access.is_staff(person)


def _groups_now(tokens: Any, account: ProviderAccount | None) -> tuple[Any, frozenset[str]]:
    """Return the person's groups, and the tokens, which may be new."""
    client = _client()
    if tokens.get("refresh_token") and tokens.get("expires_at", 0) < clock.now().timestamp() + 60:
        metadata = client.load_server_metadata()
        with client._get_oauth_client(**metadata) as session:
            tokens = tokens | session.refresh_token(
                metadata["token_endpoint"], refresh_token=tokens["refresh_token"]
            )
    said = client.userinfo(token=tokens)
    if account is None or said["sub"] != account.subject:
        raise ValueError("another person")
    return tokens, _groups_in(said)


def _answer(request: HttpRequest) -> tuple[Any, datetime | None, ProviderIdentity]:
    """Redeem the code, check the ID token, and read what the provider says about the person.

    Return the tokens, when the person proved their identity there, and who it is.
    """
    issuer, client = settings.OIDC_ISSUER, _client()
    if request.GET.get("iss", issuer) != issuer:  # RFC 9207
        raise ValueError("another issuer")
    expected = {
        "iss": {"essential": True, "value": issuer},
        "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
    }
    tokens = client.authorize_access_token(request, claims_options=expected, leeway=30)
    claims = tokens.pop("userinfo")
    said = client.userinfo(token=tokens)
    if said["sub"] != claims["sub"]:
        raise ValueError("another person")
    verified = said.get("email_verified") is True
    email = str(said.get("email", "")).strip().lower() if verified else ""
    name, groups = str(said.get("name", "")), _groups_in(said)
    who = ProviderIdentity(issuer, str(claims["sub"]), email, name, groups)
    return tokens, _proved_at(claims), who


def _proved_at(claims: Any) -> datetime | None:
    """Return when the person proved their identity, if the provider says it; never in future."""
    at = claims.get("auth_time")
    if not isinstance(at, int | float):
        return None
    return datetime.fromtimestamp(min(max(0, at), clock.now().timestamp()), UTC)


def _groups_in(said: Any) -> frozenset[str]:
    groups = said.get("groups", [])
    return frozenset(str(group) for group in groups) if isinstance(groups, list) else frozenset()


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
    signin.note_confirmed(request, account.user, by="provider", factor=account)


def _keep(request: HttpRequest, tokens: Any) -> None:
    names = ("access_token", "refresh_token", "token_type", "expires_at")
    kept = {name: tokens[name] for name in names if name in tokens}
    sealed = base64.b64encode(vault.seal(json.dumps(kept).encode(), _TOKENS)).decode()
    request.session[stepup.PROVIDER] = {"at": clock.now().isoformat(), "tokens": sealed}


def _refusal() -> SignOnRefused:
    return SignOnRefused(_("We could not sign you in with your company account. Try again."))
