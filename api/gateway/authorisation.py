"""What a proven key may do here: each check by itself, in the order of keys-and-api 3.2."""

import time
from collections.abc import Callable
from typing import NamedTuple

from api.gateway.calls import Call
from api.gateway.problems import ApiProblem
from api.gateway.records import KeyRecord
from apikeys import networks
from apikeys.lifecycle import OPENS, GrantStatus, KeyStatus
from console.accounts.lifecycle import Access

_ENDED = {
    KeyStatus.REVOKED: "revoked",
    KeyStatus.EXPIRED: "expired",
    KeyStatus.DISABLED: "disabled_unused",
}
# As plain texts: they are compared on the way of every request.
_SUSPENDED_BUSINESS, _SUSPENDED_GRANT = Access.SUSPENDED.value, GrantStatus.SUSPENDED.value
_CLOSED_BUSINESS, _CLOSED_GRANT = Access.CLOSED.value, GrantStatus.CLOSED.value
_LISTS = {
    "business": "The allowlist of the business does not hold the address {ip}.",
    "key": "The allowlist of the key does not hold the address {ip}.",
    "missing": "A live key needs an allowlist, and there is none. The call came from {ip}.",
}


def ended(record: KeyRecord, *, former: bool = False) -> str:
    """Return why a key, or its former secret, no longer works; empty while it does."""
    if record.key_status not in OPENS:
        return _ENDED[KeyStatus(record.key_status)]
    now = time.time()
    if record.expires_at <= now:
        return "expired"
    if former and (record.former_ends_at or 0) <= now:
        return "rotated"
    if record.grant_status == _CLOSED_GRANT or record.business_status == _CLOSED_BUSINESS:
        return "revoked"
    return ""


def business_stands(call: Call) -> ApiProblem | None:
    if call.record.business_status == _SUSPENDED_BUSINESS:
        return ApiProblem("COMPLIANCE_BLOCKED")
    return None


def address_is_allowed(call: Call) -> ApiProblem | None:
    record = call.record
    if not (record.business_networks or record.key_networks or record.environment == "live"):
        return None
    refusing = networks.refusing(
        call.ip,
        environment=record.environment,
        business=record.business_networks,
        key=record.key_networks,
    )
    if not refusing:
        return None
    detail = _LISTS[refusing].format(ip=call.ip or "that we could not read")
    return ApiProblem("IP_NOT_ALLOWED", detail, client_ip=call.ip, reason=refusing)


def environment_fits(call: Call) -> ApiProblem | None:
    theirs, ours = call.record.environment, call.environment
    if theirs != ours:
        said = f"The key {call.record.key_id} is a {theirs} key, and this is the {ours} address."
    elif ours == "live" and call.operation.is_test_helper:
        said = "Test helpers are served in the sandbox alone."
    else:
        return None
    return ApiProblem(
        "ENVIRONMENT_MISMATCH",
        said,
        environment=ours,
        key_environment=theirs,
        key_id=call.record.key_id,
    )


def product_is_enabled(call: Call) -> ApiProblem | None:
    record, product = call.record, call.operation.product
    if record.grant_status == _SUSPENDED_GRANT:
        return ApiProblem("PRODUCT_NOT_ENABLED", product=product, reason="suspended")
    if product not in record.products:
        detail = f"The product {product} is not enabled for this business here."
        return ApiProblem("PRODUCT_NOT_ENABLED", detail, product=product)
    return None


def scope_is_held(call: Call) -> ApiProblem | None:
    scope = call.operation.scope
    if scope in call.record.scopes:
        return None
    challenge = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'
    return ApiProblem(
        "FORBIDDEN_SCOPE",
        f"This key does not have the scope {scope}.",
        headers=[("WWW-Authenticate", challenge)],
        required_scope=scope,
    )


class AuthorisationCheck(NamedTuple):
    """One check: what it asks, in words, and the function that answers with a refusal."""

    title: str
    refuse: Callable[[Call], ApiProblem | None]


CHECKS = (
    AuthorisationCheck("The business is not suspended", business_stands),
    AuthorisationCheck("The address is allowed", address_is_allowed),
    AuthorisationCheck("The key is of this environment", environment_fits),
    AuthorisationCheck("The product is enabled", product_is_enabled),
    AuthorisationCheck("The key has the scope", scope_is_held),
)
_REFUSALS = tuple(check.refuse for check in CHECKS)


def lacks(call: Call) -> ApiProblem | None:
    """Return the first refusal: what this proven key may not do, here."""
    for refuse in _REFUSALS:
        if (refusal := refuse(call)) is not None:
            return refusal
    return None
