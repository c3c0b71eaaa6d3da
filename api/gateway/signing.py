"""Signed calls: a signature over time, nonce, method, address and body, which opens once.

    Service-Signature: t=<unix seconds>,n=<nonce>,v1=<hex>

`v1` is HMAC-SHA256, keyed with the secret of the key that calls, over
`<t>.<n>.<METHOD>.<path?query>.<sha256 of the body, in hex>` (D-13). A call of a business that does
not ask for signatures, and sends none, pays for one look at the record.
"""

import hashlib
import hmac
import re
import time

from api.gateway import bodies
from api.gateway.calls import Call
from api.gateway.problems import ApiProblem

# How far the clocks of a caller and of ours may be apart, and so how long a signature opens.
TOLERANCE_SECONDS = 300
HEADER = "HTTP_SERVICE_SIGNATURE"
_SHAPE = re.compile(r"t=([0-9]{1,12}),n=([A-Za-z0-9._~-]{8,64}),v1=([0-9a-f]{64})")
_REMEMBER = """
INSERT INTO gateway_nonce (key_id, nonce, signed_at) VALUES ($1, $2, to_timestamp($3::float8))
ON CONFLICT DO NOTHING RETURNING key_id
"""
INVALID = {
    "missing": "This business requires signed calls, and this one has no Service-Signature.",
    "unreadable": "Send Service-Signature as t=<unix seconds>,n=<nonce>,v1=<64 hex digits>.",
    "wrong": "The signature does not fit this request. Sign method, path, query and body as sent.",
}
REPLAYED = {
    "too_old": f"The time t lies more than {TOLERANCE_SECONDS} seconds behind our clock.",
    "too_early": f"The time t lies more than {TOLERANCE_SECONDS} seconds ahead of our clock.",
    "nonce_used": "This nonce was used before. Make a new one for every request.",
}


def refuse(call: Call) -> ApiProblem | None:
    """Return why a call is not taken for what its caller signed; remember the nonce of one that is.

    A signature is looked at wherever there is one, also where none is asked for.
    """
    given = call.header(HEADER)
    if given is None:
        return invalid("missing") if call.record.requires_signatures else None
    call.require_thread()
    shape = _SHAPE.fullmatch(given)
    if shape is None:
        return invalid("unreadable")
    at, nonce, signature = shape.groups()
    if not hmac.compare_digest(_signature(call, at, nonce), signature):
        return invalid("wrong")
    return _refuse_again(call, int(at), nonce)


def is_asked(call: Call) -> bool:
    """Tell whether a signature is looked at."""
    return call.record.requires_signatures or call.header(HEADER) is not None


def invalid(reason: str) -> ApiProblem:
    """Return the refusal of a signature: `missing`, `unreadable` or `wrong`."""
    return ApiProblem("SIGNATURE_INVALID", INVALID[reason], reason=reason)


def replayed(reason: str) -> ApiProblem:
    """Return the refusal of a right signature: `too_old`, `too_early` or `nonce_used`."""
    return ApiProblem("REPLAY_DETECTED", REPLAYED[reason], reason=reason)


def _refuse_again(call: Call, at: int, nonce: str) -> ApiProblem | None:
    age = time.time() - at
    if abs(age) > TOLERANCE_SECONDS:
        return replayed("too_old" if age > 0 else "too_early")
    # Of all processes that bring the same nonce, the database lets one write it.
    written = call.database.rows(_REMEMBER, call.record.key_pk, nonce, at)
    return None if written else replayed("nonce_used")


def _signature(call: Call, at: str, nonce: str) -> str:
    # The secret was proved a moment ago, and is kept nowhere else.
    _, _, plain = (call.header("HTTP_AUTHORIZATION") or "").partition(" ")
    _, _, secret = plain.strip().partition(":")
    environ = call.environ
    path = environ.get("RAW_PATH") or environ["PATH_INFO"]
    address = f"{path}?{call.query}" if call.query else path
    body = hashlib.sha256(bodies.raw(call)).hexdigest()
    signed = f"{at}.{nonce}.{call.method}.{address}.{body}"
    return hmac.new(secret.encode(), signed.encode("latin-1", "replace"), "sha256").hexdigest()
