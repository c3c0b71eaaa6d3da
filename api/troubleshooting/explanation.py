"""Explain a refusal: run every check in order until the first refuses.

The checks are the API's own permissions, run for a hypothetical call.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from api import authentication, call_signatures
from api.operations import CODES_OF_KEYS, Operation
from api.permissions import KEY_PERMISSIONS, KeyAttempt
from api.problem_reasons import FAULT_CODES, REASONS
from api.problems import CODES, ApiProblem, Fault
from apikeys.models import ApiKey, RequestLog

Refuse = Callable[[KeyAttempt], ApiProblem | None]
_ENDED = {
    "revoked": "The key is revoked.",
    "expired": "The key has expired.",
    "disabled_unused": "The key is disabled because nobody used it for 90 days.",
}
# Assumed signature of the call. The API needs the secret to verify a real one, and this page never
# gets it.
SIGNATURES = {
    "none": _("No signature"),
    "good": _("Valid"),
    "wrong": _("Invalid: other content or another secret"),
    "too_old": _("Valid, but too old"),
    "nonce_used": _("Valid, but its nonce was already used"),
}


@dataclass(frozen=True)
class ExplainedCheck:
    """A check and its outcome: `passed`, `refused`, or `open` if not reached."""

    title: str
    outcome: str
    problem: ApiProblem | None = None


def refusal_of(call: RequestLog) -> ApiProblem | None:
    """Return why a logged call was refused, in the words of its code, reason and mistakes."""
    if call.code not in CODES:
        return None
    said = REASONS.get(call.code, {}).get(call.reason, "")
    faults = [Fault(pointer, code, FAULT_CODES.get(code, "")) for pointer, code in call.faults]
    return ApiProblem(call.code, said, status=call.status, errors=faults, reason=call.reason)


def as_logged(checks: list[ExplainedCheck], call: RequestLog) -> list[ExplainedCheck]:
    """Add to checks that all pass what refused this logged call afterwards."""
    problem = refusal_of(call)
    refused = any(check.problem for check in checks)
    if problem is None or refused or (call.code in CODES_OF_KEYS and not problem.errors):
        return checks
    return [
        *checks,
        ExplainedCheck(gettext_noop("We accept what the call asks for"), "refused", problem),
    ]


def explain(
    key: ApiKey, *, ip: str, environment: str, operation: Operation, signature: str = "none"
) -> list[ExplainedCheck]:
    """Return the checks for a call with this key, without spending a token or logging.

    `signature` is one of SIGNATURES.
    """
    attempt = KeyAttempt(key, ip, environment, operation)
    checks = [
        (gettext_noop("The key works"), _key_works),
        (
            gettext_noop("The signature is valid, if there is one or one is required"),
            _signed_by(signature),
        ),
        (gettext_noop("The signature was not used before"), _not_replayed_by(signature)),
        *((one.title, one().problem) for one in KEY_PERMISSIONS),
    ]
    found: list[ExplainedCheck] = []
    refused = False
    for title, refuse in checks:
        problem = None if refused else refuse(attempt)
        outcome = "open" if refused else "refused" if problem else "passed"
        found.append(ExplainedCheck(title, outcome, problem))
        refused = refused or problem is not None
    return found


def _key_works(attempt: KeyAttempt) -> ApiProblem | None:
    reason = authentication.ended(attempt.key)
    return ApiProblem("CREDENTIAL_EXPIRED", _ENDED[reason], reason=reason) if reason else None


def _signed_by(signature: str) -> Refuse:
    def refuse(attempt: KeyAttempt) -> ApiProblem | None:
        if signature == "none":
            return (
                call_signatures.invalid("missing")
                if attempt.key.grant.requires_signatures
                else None
            )
        return call_signatures.invalid("wrong") if signature == "wrong" else None

    return refuse


def _not_replayed_by(signature: str) -> Refuse:
    def refuse(_attempt: KeyAttempt) -> ApiProblem | None:
        return (
            call_signatures.replayed(signature) if signature in call_signatures.REPLAYED else None
        )

    return refuse
