"""Sessions that began at the OpenID provider: whether it still gives their users a role.

A session's row keeps the provider's tokens, encrypted, and the groups of the newest ID token, for
providers whose details of a person name none. Its requests read the person's groups again, at most
once a minute. These functions take the request, because they change its session.
"""

import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from authlib.integrations.django_client import OAuthError
from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_noop

from console.accounts import access, provider_accounts, provider_client, signin, stepup
from console.accounts.actors import SYSTEM
from console.accounts.models import ProviderAccount, Session, User
from console.core import clock, vault

# How old what the provider said may be.
STALE_AFTER = timedelta(seconds=60)
# How long a session continues while the provider does not answer.
_UNREAD_FOR = timedelta(minutes=5)
NOT_CHECKED = gettext_noop(
    "You were signed out because your company account could not be checked. Sign in again."
)
_TOKENS = "provider.tokens"


def has_left(request: HttpRequest, person: User) -> bool:
    """Tell whether this session ends: the provider no longer gives its user a role.

    Asks at most once in `STALE_AFTER`, and only one of several requests at once, because a refresh
    token may work only once. Without an answer the session continues for `_UNREAD_FOR`.
    """
    if request.path == reverse("accounts:provider_back"):
        return False  # the way back reads the groups itself
    row = _row(request)
    kept = row.first()
    if kept is None or kept.provider_tokens is None:
        return _end(request)  # such as one whose key is new since its password was changed
    return _claims(row) and not _goes_on(request, row, kept, person)


def _goes_on(request: HttpRequest, row: "QuerySet[Session]", kept: Session, person: User) -> bool:
    """Ask the provider, and tell whether the session continues."""
    account = ProviderAccount.objects.filter(user=person, issuer=settings.OIDC_ISSUER).first()
    if account is None:
        return not _end(request)
    now, read_at = clock.now(), kept.provider_read_at
    try:
        groups = _groups_now(row, _opened(kept), account)
    except (*provider_client.FAILURES, vault.VaultBroken) as failure:
        provider_client.note(failure)
        if _is_silence(failure) and read_at and now - read_at <= _UNREAD_FOR:
            return True
        if isinstance(failure, _TurnedAway):
            provider_accounts.apply_groups(account, (), by=SYSTEM)
        return not _end(request)
    provider_accounts.apply_groups(account, groups, by=SYSTEM)
    row.update(provider_read_at=now)
    return access.is_staff(person)


def _end(request: HttpRequest) -> bool:
    request.META["console.ran_out"] = NOT_CHECKED
    return True


def _claims(row: "QuerySet[Session]") -> bool:
    """Tell whether this request is the one that asks the provider now."""
    now = clock.now()
    return row.filter(provider_asked_at__lte=now - STALE_AFTER).update(provider_asked_at=now) > 0


def _groups_now(
    row: "QuerySet[Session]", tokens: dict[str, Any], account: ProviderAccount
) -> frozenset[str]:
    """Return the person's groups. Keep new tokens at once, as the former may no longer work."""
    client = provider_client.client()
    metadata, now = client.load_server_metadata(), clock.now().timestamp()
    if tokens.get("refresh_token") and tokens.get("expires_at", 0) < now + 60:
        tokens = _refreshed(client, tokens, account)
        row.update(provider_tokens=_sealed(tokens))
    elif tokens.get("expires_at", now) < now:
        raise ValueError("no refresh token")
    answer = client.get(metadata["userinfo_endpoint"], token=provider_client.bearer(tokens))
    if answer.status_code == HTTPStatus.UNAUTHORIZED:
        raise _TurnedAway
    answer.raise_for_status()
    said = answer.json()
    if said["sub"] != account.subject:
        raise ValueError("another person")
    groups = provider_client.groups_in(said)
    return frozenset(tokens.get("groups", ())) if groups is None else groups


def _refreshed(client: Any, tokens: dict[str, Any], account: ProviderAccount) -> dict[str, Any]:
    """Return new tokens, and the groups of a new ID token where the provider has them there."""
    metadata = client.load_server_metadata()
    try:
        with client._get_oauth_client(**metadata) as session:
            tokens = tokens | session.refresh_token(
                metadata["token_endpoint"], refresh_token=tokens["refresh_token"]
            )
    except OAuthError as refusal:
        if refusal.error == "invalid_grant":
            raise _TurnedAway from refusal
        raise
    if "groups" in tokens and (token := client.parse_id_token(tokens, nonce=None)):
        if token["sub"] != account.subject:
            raise ValueError("another person")
        tokens["groups"] = provider_client.groups_in_token(token)
    return tokens


class _TurnedAway(ValueError):
    """The provider no longer knows these tokens: the person has left, or was signed out there."""


def _is_silence(failure: Exception) -> bool:
    """Tell whether the provider did not answer, or only that it cannot now."""
    status: int = getattr(getattr(failure, "response", None), "status_code", 0)
    return isinstance(failure, OSError) and (status in (0, 429) or status >= 500)


def keep(request: HttpRequest, tokens: Any) -> None:
    """Store the tokens with the session, which the provider began or has just confirmed."""
    now = clock.now()
    request.session[stepup.PROVIDER] = True
    _row(request).update(
        provider_asked_at=now, provider_read_at=now, provider_tokens=_sealed(tokens)
    )


def _row(request: HttpRequest) -> "QuerySet[Session]":
    return Session.objects.filter(pk=signin.stored_key(request))


def _sealed(tokens: Any) -> bytes:
    names = ("access_token", "refresh_token", "token_type", "expires_at", "groups")
    kept = {name: tokens[name] for name in names if name in tokens}
    return vault.seal(json.dumps(kept).encode(), _TOKENS)


def _opened(kept: Session) -> dict[str, Any]:
    tokens: dict[str, Any] = json.loads(vault.open_(bytes(kept.provider_tokens or b""), _TOKENS))
    return tokens
