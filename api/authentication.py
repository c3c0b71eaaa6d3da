"""API key authentication: reads the key of the Authorization header from the database each time."""

import re
from typing import cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from api import throttling
from api.calls import ApiRequest
from api.problems import ApiProblem
from apikeys import secrets
from apikeys.keys import rotation
from apikeys.lifecycle import OPENS, GrantStatus, KeyStatus
from apikeys.models import ApiKey
from console.accounts.actors import SYSTEM, MachineActor
from console.accounts.lifecycle import Access
from console.core import addresses, clock

_CHALLENGE = ("WWW-Authenticate", 'Bearer realm="api"')
_INVALID = ("WWW-Authenticate", 'Bearer realm="api", error="invalid_token"')
# Quotation marks, brackets and separators around a key, and blanks in it.
_AROUND_A_KEY = re.compile(r"^[^A-Za-z0-9_]|\s|[\"'>)}\],;=]$|[^\x00-\x7f]$")
_ENDED = {
    KeyStatus.REVOKED: "revoked",
    KeyStatus.EXPIRED: "expired",
    KeyStatus.DISABLED: "disabled_unused",
}


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer <key_id>:<secret>`. Sets `request.auth` to the key, with its grant.

    The secret is verified before the response reveals anything about the key.
    """

    def authenticate(self, request: Request) -> tuple[MachineActor, ApiKey]:
        scheme, _, plain = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer" or not plain.strip():
            raise ApiProblem("UNAUTHENTICATED", headers=[_CHALLENGE])
        pair = secrets.read(plain.strip())
        key = _find(pair[0], request) if pair else None
        proved = _matching(key, pair[1]) if key and pair else ""
        if key is None or not proved:
            raise ApiProblem("INVALID_CREDENTIALS", _strange(plain.strip()), headers=[_INVALID])
        cast("ApiRequest", request._request).api_call.key = key
        if reason := ended(key, former=proved == "former"):
            raise ApiProblem("CREDENTIAL_EXPIRED", headers=[_INVALID], reason=reason)
        if proved == "newest" and key.status == KeyStatus.ROTATING and key.secret_used_at is None:
            rotation.note_first_use(key.pk, by=SYSTEM)
        return MachineActor(key.name, key.public_id), key

    def authenticate_header(self, request: Request) -> str:
        return _CHALLENGE[1]


def ended(key: ApiKey, *, former: bool = False) -> str:
    """Return why a key, or its former secret, no longer works; "" while it does."""
    if key.status not in OPENS:
        return _ENDED[KeyStatus(key.status)]
    now = clock.now()
    if key.expires_at <= now:
        return "expired"
    if former and (key.former_ends_at is None or key.former_ends_at <= now):
        return "rotated"
    if key.grant.status == GrantStatus.CLOSED or key.business.status == Access.CLOSED:
        return "revoked"
    return ""


def _strange(plain: str) -> str:
    """Say what stands around a key and is no part of it, such as quotation marks; "" if nothing.

    It tells nothing about keys: what is between is not compared with any.
    """
    found = _AROUND_A_KEY.search(plain)
    if found is None:
        return ""
    what = f"the character {found[0]}"
    if not found[0].isascii():
        what = "what is not ASCII, such as a curly quotation mark"
    elif not found[0].isprintable() or found[0].isspace():
        what = "the blank"
    return f"Leave out {what}: a key has letters, digits, _ and a colon before its secret."


def _find(key_id: str, request: Request) -> ApiKey | None:
    """Return the key. Raises a 429 if the client's address has failed too often."""
    failures = throttling.failures_of(addresses.client_ip(request._request))
    keys = ApiKey.objects.select_related("grant__business").annotate(failures=failures)
    try:
        key = keys.get(public_id=key_id)
    except ApiKey.DoesNotExist:
        return None
    throttling.refuse_failed_address(key.failures or 0.0)  # type: ignore[attr-defined]  # annotated
    return key


def _matching(key: ApiKey, secret: str) -> str:
    """Return which secret of the key this is, `newest` or `former`, or "" if neither."""
    if secrets.matches(key.public_id, secret, bytes(key.digest), key.pepper):
        return "newest"
    former = key.former_digest
    if former and secrets.matches(key.public_id, secret, bytes(former), key.former_pepper or 0):
        return "former"
    return ""
