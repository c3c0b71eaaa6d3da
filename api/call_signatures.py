"""Signed calls: a single-use signature over time, nonce, method, URL and body.

    Service-Signature: t=<unix seconds>,n=<nonce>,v1=<hex>

`v1` is HMAC-SHA256, keyed with the secret of the calling key, over
`<t>.<n>.<METHOD>.<path?query>.<sha256 of the body, in hex>`. A signature is always verified when
sent, even if the business does not require one.
"""

import hashlib
import hmac
import re
import time
from datetime import UTC, datetime

from django.db import IntegrityError, transaction
from rest_framework.request import Request

from api.models import Nonce
from api.problem_reasons import REASONS
from api.problems import ApiProblem
from apikeys.models import ApiKey

# Allowed clock difference, which is also how long a signature is valid.
TOLERANCE_SECONDS = 300
HEADER = "HTTP_SERVICE_SIGNATURE"
_SHAPE = re.compile(r"t=([0-9]{1,12}),n=([A-Za-z0-9._~-]{8,64}),v1=([0-9a-f]{64})")
INVALID, REPLAYED = REASONS["SIGNATURE_INVALID"], REASONS["REPLAY_DETECTED"]


def problem(request: Request, key: ApiKey) -> ApiProblem | None:
    """Return the problem with a request's signature: missing, wrong, outdated or its nonce used."""
    given = request.META.get(HEADER)
    if not given:
        return invalid("missing") if key.grant.requires_signatures else None
    shape = _SHAPE.fullmatch(given)
    if shape is None:
        return invalid("unreadable")
    at, nonce, signature = shape.groups()
    if not hmac.compare_digest(_signature(request, at, nonce), signature):
        return invalid("wrong")
    age = time.time() - int(at)
    if abs(age) > TOLERANCE_SECONDS:
        return replayed("too_old" if age > 0 else "too_early")
    used = Nonce.objects.filter(key=key, nonce=nonce)
    return replayed("nonce_used") if used.exists() else None


def use_nonce(request: Request, key: ApiKey) -> None:
    """Store the nonce of an accepted call, or refuse it as a replay.

    Call this after the rate limits, so that refused calls cannot fill the table.
    """
    shape = _SHAPE.fullmatch(request.META.get(HEADER, ""))
    if shape is None:
        return
    signed_at = datetime.fromtimestamp(int(shape[1]), UTC)
    # The unique constraint decides between processes that receive the same nonce.
    try:
        with transaction.atomic():
            Nonce.objects.create(key=key, nonce=shape[2], signed_at=signed_at)
    except IntegrityError:
        raise replayed("nonce_used") from None


def invalid(reason: str) -> ApiProblem:
    """Return the refusal of an invalid signature: `missing`, `unreadable` or `wrong`."""
    return ApiProblem("SIGNATURE_INVALID", INVALID[reason], reason=reason)


def replayed(reason: str) -> ApiProblem:
    """Return the refusal of a valid signature: `too_old`, `too_early` or `nonce_used`."""
    return ApiProblem("REPLAY_DETECTED", REPLAYED[reason], reason=reason)


def _signature(request: Request, at: str, nonce: str) -> str:
    # The secret was just verified; it is stored nowhere, so read it from the request.
    _, _, plain = request.META["HTTP_AUTHORIZATION"].partition(" ")
    _, _, secret = plain.strip().partition(":")
    body = hashlib.sha256(request.body).hexdigest()
    signed = f"{at}.{nonce}.{request.method}.{address_as_sent(request)}.{body}"
    return hmac.new(secret.encode(), signed.encode("latin-1", "replace"), "sha256").hexdigest()


def address_as_sent(request: Request) -> str:
    """Return the path and query exactly as sent, if the server provides them."""
    environ = request.META
    path = environ.get("RAW_URI", "").partition("?")[0] or environ["PATH_INFO"]
    query = environ.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path
