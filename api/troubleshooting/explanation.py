"""Why a call is refused: every check of the gateway in its order, with the first that refuses.

The checks are the gateway's own functions, asked about a call that nobody has made.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import connection

from api.gateway import authorisation, signing
from api.gateway.calls import Call
from api.gateway.database import Database
from api.gateway.operations import Operation
from api.gateway.problems import ApiProblem
from api.gateway.records import COLUMNS, TABLES, KeyRecord
from apikeys.models import ApiKey

_READ = f"SELECT {COLUMNS} FROM {TABLES} WHERE api_key.public_id = %s"  # noqa: S608
Refuse = Callable[[Call], ApiProblem | None]
_ENDED = {
    "revoked": "It is revoked.",
    "expired": "Its time has run out.",
    "disabled_unused": "It is disabled: nobody used it for 90 days.",
}
# How the call that is explained is signed. Whether a signature is right, and new, is what the
# gateway finds out by the secret, which nobody tells this page.
SIGNATURES = {
    "none": "None",
    "good": "Right, and new",
    "wrong": "Made over something else, or with another secret",
    "too_old": f"Right, but made more than {signing.TOLERANCE_SECONDS} seconds ago",
    "nonce_used": "Right, but its nonce was used before",
}


@dataclass(frozen=True)
class ExplainedCheck:
    """One check and its outcome: `passed`, `refused`, or `open` where it was not reached."""

    title: str
    outcome: str
    problem: ApiProblem | None = None


def explain(
    key: ApiKey, *, ip: str, environment: str, operation: Operation, signature: str = "none"
) -> list[ExplainedCheck]:
    """Return the chain of checks for a call with this key; it takes no token and logs nothing.

    `signature` is one of SIGNATURES.
    """
    call = Call({"REQUEST_METHOD": operation.method}, Database(), "")
    call.record, call.ip = _record(key), ip
    call.environment, call.operation = environment, operation
    checks = [
        ("The key works", _key_works),
        ("The signature is right, where one is sent or required", _signed_by(signature)),
        ("The signature is new", _not_replayed_by(signature)),
        *authorisation.CHECKS,
    ]
    found: list[ExplainedCheck] = []
    refused = False
    for title, refuse in checks:
        problem = None if refused else refuse(call)
        outcome = "open" if refused else "refused" if problem else "passed"
        found.append(ExplainedCheck(title, outcome, problem))
        refused = refused or problem is not None
    return found


def _key_works(call: Call) -> ApiProblem | None:
    reason = authorisation.ended(call.record)
    return ApiProblem("CREDENTIAL_EXPIRED", _ENDED[reason], reason=reason) if reason else None


def _signed_by(signature: str) -> Refuse:
    def refuse(call: Call) -> ApiProblem | None:
        if signature == "none":
            return signing.invalid("missing") if call.record.requires_signatures else None
        return signing.invalid("wrong") if signature == "wrong" else None

    return refuse


def _not_replayed_by(signature: str) -> Refuse:
    def refuse(_: Call) -> ApiProblem | None:
        return signing.replayed(signature) if signature in signing.REPLAYED else None

    return refuse


def _record(key: ApiKey) -> KeyRecord:
    with connection.cursor() as cursor:
        cursor.execute(_READ, [key.public_id])
        row = cursor.fetchone()
    assert row is not None
    return KeyRecord.of(row)
