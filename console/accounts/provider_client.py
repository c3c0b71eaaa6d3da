"""The client of the OpenID provider, with `authlib`, and how its answers are read."""

import logging
import traceback
from functools import cache
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import DjangoIntegration, DjangoOAuth2App
from django.conf import settings
from joserfc.errors import JoseError

log = logging.getLogger(__name__)

_SECONDS = 3
# Signatures that need the provider's private key; never one with a shared secret, or none.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
# What `authlib` and its HTTP client raise; errors of the network are OSErrors.
FAILURES = (AuthlibBaseError, JoseError, OSError, ValueError, KeyError, TypeError, RuntimeError)


@cache
def _client_of(issuer: str, client_id: str, secret: str) -> Any:
    return DjangoOAuth2App(
        DjangoIntegration("staff"),
        name="staff",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": settings.OIDC_SCOPE,
            "code_challenge_method": "S256",
            "default_timeout": _SECONDS,
            "verify": settings.CA_FILE or True,
        },
    )


def client() -> Any:
    """Return the client of the configured provider, which must name itself as we know it."""
    issuer, secret = settings.OIDC_ISSUER, settings.OIDC_CLIENT_SECRET
    found = _client_of(issuer, settings.OIDC_CLIENT_ID, secret)
    metadata = found.load_server_metadata()
    offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
    allowed = [name for name in offered if name in _ALGORITHMS]
    if metadata.get("issuer") != issuer or not allowed:
        _client_of.cache_clear()  # ask again: the provider may correct what it says
        raise ValueError("another issuer, or no algorithm that we accept")
    metadata["id_token_signing_alg_values_supported"] = allowed
    return found


def bearer(tokens: Any) -> dict[str, Any]:
    """Return the access token alone: `authlib` would use the others to refresh it unseen."""
    return {name: tokens[name] for name in ("access_token", "token_type") if name in tokens}


def groups_in(said: Any) -> frozenset[str] | None:
    """Return the person's groups, as the provider says them, or None if it does not mention any.

    Raises ValueError if it says that they are too many to send (OpenID Connect Core, 5.6.2):
    nobody loses a role because of an answer that holds no groups.
    """
    if "groups" in (said.get("_claim_names") or {}) or said.get("hasgroups"):
        raise ValueError("the provider names another place for the groups")
    if "groups" not in said:
        return None
    groups = said["groups"]
    if isinstance(groups, str):  # as some providers send a single one
        groups = [groups]
    return frozenset(str(group) for group in groups) if isinstance(groups, list) else frozenset()


def groups_in_token(claims: Any) -> list[str]:
    """Return the groups of a valid ID token, where providers such as Entra put them."""
    return sorted(groups_in(claims) or ())


def note(failure: Exception) -> None:
    """Log why nobody was signed in and where in the code, without what was sent."""
    raised = traceback.extract_tb(failure.__traceback__)[-1]
    where = f"{raised.filename}:{raised.lineno}"
    log.warning("sign_on_failed", extra={"why": type(failure).__name__, "where": where})
