"""What every call must pass, in one order (keys-and-api 3.2). The first failure answers."""

import math
import random
from functools import lru_cache, partial

from api.gateway import (
    authorisation,
    bodies,
    exact_checks,
    first_use,
    leaked_keys,
    signing,
    versions,
)
from api.gateway.cache import Records
from api.gateway.caller_limits import CallerLimits
from api.gateway.calls import Call
from api.gateway.concurrency import ConcurrencyLimiter
from api.gateway.limiter import Limiter
from api.gateway.operations import Table
from api.gateway.problems import ApiProblem, Fault
from api.gateway.rate_limits import LimitState, Policy, RateLimits
from api.gateway.records import KeyRecord
from apikeys import secrets as credentials
from console.core import addresses

_CHALLENGE = ("WWW-Authenticate", 'Bearer realm="api"')
_INVALID = ("WWW-Authenticate", 'Bearer realm="api", error="invalid_token"')


class Admission:
    """The checks between a request and its operation."""

    def __init__(
        self,
        table: Table,
        records: Records,
        limiter: Limiter,
        concurrency: ConcurrencyLimiter,
        rate_limits: RateLimits,
    ) -> None:
        self._table = table
        self._records = records
        self._limiter = limiter
        self._concurrency = concurrency
        self._auth_failures = rate_limits.auth_failures
        self._limits_of = lru_cache(maxsize=4096)(partial(CallerLimits, rate_limits))
        # A call that changes over to a thread begins the check that it came to again, so no check
        # changes anything before what may wait.
        self._checks = (
            self._route,
            self._limit_address,
            self._authenticate,
            self._authorise,
            self._limit_everything,
            self._limit_own,
            self._limit_at_once,
            self._read,
        )

    def admit(self, call: Call) -> ApiProblem | None:
        """Let the call through, or return the refusal that answers it.

        Refusals are returned, so that a flood of them costs less than what it asks for. What cannot
        be read at all is raised.
        """
        call.admission = self
        for check in self._checks[call.passed :]:
            if refusal := check(call):
                return refusal
            call.passed += 1
        return None

    def _route(self, call: Call) -> None:
        bodies.check_size(call)
        found = self._table.find(call.path)
        if found is None:
            raise ApiProblem("NOT_FOUND")
        methods, call.names = found
        if call.method not in methods:
            allow = ", ".join(sorted(methods))
            detail = f"This address takes {allow}."
            raise ApiProblem("NOT_FOUND", detail, status=405, headers=[("Allow", allow)])
        call.operation = methods[call.method]

    def _limit_address(self, call: Call) -> ApiProblem | None:
        """Refuse an address that failed to authenticate too often, before looking at its key."""
        state = self._limiter.shut(_address_bucket(call.ip), self._auth_failures)
        return _limited(state) if state else None

    def _authenticate(self, call: Call) -> ApiProblem | None:
        """Count a failed authentication against the address; too many become a 429."""
        failure = self._prove(call)
        if failure is None:
            return None
        bucket = _address_bucket(call.ip)
        state = self._limiter.take(bucket, self._auth_failures, may_wait=call.may_wait)
        return failure if state.admitted else _limited(state)

    def _prove(self, call: Call) -> ApiProblem | None:
        """Prove the secret first; only then tell anything about the key."""
        scheme, _, plain = (call.header("HTTP_AUTHORIZATION") or "").partition(" ")
        if scheme.lower() != "bearer" or not plain:
            return ApiProblem("UNAUTHENTICATED", headers=[_CHALLENGE])
        pair = credentials.split(plain.strip())
        record = self._record(call, *pair) if pair else None
        proven = _matching(record, pair[1]) if pair and record else ""
        if record is None or not proven:
            return ApiProblem("INVALID_CREDENTIALS", headers=[_INVALID])
        call.caller = call.record = record
        if reason := authorisation.ended(record, former=proven == "former"):
            return ApiProblem("CREDENTIAL_EXPIRED", headers=[_INVALID], reason=reason)
        if proven == "newest" and record.awaits_first_use:
            first_use.note(call)
        return None

    def _record(self, call: Call, key_id: str, secret: str) -> KeyRecord | None:
        known, exact = self._records.known(key_id), call.operation.financial
        if (known is None or exact) and not credentials.is_whole(key_id, secret):
            # A typing mistake: nobody need be asked.
            return None
        if not exact:
            return known or self._records.find(key_id, may_wait=call.may_wait)
        call.require_thread()
        if known is None or not self._is_likely(call, known, secret):
            return self._records.find_now(key_id)
        # With the tokens that the call will cost, in one statement.
        limits = call.limits.of(call.operation)
        record, call.taken = exact_checks.ask(call.database, self._limiter, key_id, *limits)
        return record

    def _is_likely(self, call: Call, known: KeyRecord, secret: str) -> bool:
        """Tell whether a call will be let through, as far as memory knows."""
        call.record, call.limits = known, self._limits(known)
        try:
            return (
                _matching(known, secret) != ""
                and not authorisation.ended(known)
                and not signing.is_asked(call)
                and authorisation.lacks(call) is None
                and not any(self._limiter.shut(*each) for each in call.limits.of(call.operation))
            )
        finally:
            # Nothing is known of the caller before the secret is proved against the row.
            del call.record

    def _limits(self, record: KeyRecord) -> CallerLimits:
        return self._limits_of(record.environment, record.business_pk, record.tier)

    def _authorise(self, call: Call) -> None:
        """Look what the key may not do, which is refused when it is counted."""
        call.lacking = signing.refuse(call) or authorisation.lacks(call)

    def _limit_everything(self, call: Call) -> ApiProblem | None:
        """Take the token that every proven call costs, also one that is refused."""
        exact = call.operation.financial and call.lacking is None
        call.limits = self._limits(call.record)
        everything = self._take(call, *call.limits.of(call.operation)[0], exact=exact)
        call.limit_states = [everything]
        return None if everything.admitted or call.lacking else _limited(everything)

    def _limit_own(self, call: Call) -> ApiProblem | None:
        """Take a token of the operation's own limit, or of that of refusals.

        A client that keeps asking for what it may not have ends in 429.
        """
        exact = call.operation.financial and call.lacking is None
        limit = call.limits.refusals if call.lacking else call.limits.of(call.operation)[1]
        own = self._take(call, *limit, exact=exact)
        call.limit_states.append(own)
        return call.lacking if own.admitted else _limited(own)

    def _take(self, call: Call, bucket: str, policy: Policy, *, exact: bool) -> LimitState:
        taken = call.taken.pop(bucket, None) if call.taken else None
        return taken or self._limiter.take(bucket, policy, exact=exact, may_wait=call.may_wait)

    def _limit_at_once(self, call: Call) -> ApiProblem | None:
        """Give the call one of the places of its business, until it is answered."""
        if not call.operation.in_memory:
            # Now: one that then found no thread would never give its place back.
            call.require_thread()
        bucket, policy = call.limits.at_once
        exact, may_wait = call.operation.financial, call.may_wait
        call.in_flight = self._concurrency.enter(bucket, policy, exact=exact, may_wait=may_wait)
        if call.in_flight is not None:
            return None
        full = LimitState(policy, admitted=False, remaining=0, wait=0.0)
        call.limit_states.append(full)
        return _limited(full)

    def _read(self, call: Call) -> None:
        """Read what the operation is asked."""
        versions.choose(call)
        bodies.read(call)
        leaked_keys.refuse(call)
        _read_idempotency_key(call)

    def limits_of_key(self, call: Call) -> list[LimitState]:
        """Return every limit of the calling key: those it has just spent, the others as known."""
        spent = {state.policy.name: state for state in call.limit_states}
        found = [
            spent.get(policy.name) or self._limiter.known(bucket, policy)
            for bucket, policy in call.limits.every
        ]
        bucket, at_once = call.limits.at_once
        left = max(0, at_once.most - self._concurrency.in_use(bucket))
        return [*found, LimitState(at_once, admitted=True, remaining=left, wait=0.0)]


def _matching(record: KeyRecord, secret: str) -> str:
    """Return which secret of the key this is: `newest` or `former`; empty for neither."""
    if credentials.matches(record.key_id, secret, record.digest, record.pepper):
        return "newest"
    former, pepper = record.former_digest, record.former_pepper
    if former is not None and credentials.matches(record.key_id, secret, former, pepper or 0):
        return "former"
    return ""


def _read_idempotency_key(call: Call) -> None:
    """Read the key, bare or quoted; an operation that moves money cannot go without."""
    given = call.header("HTTP_IDEMPOTENCY_KEY")
    if given is None:
        if call.operation.financial:
            raise ApiProblem("IDEMPOTENCY_KEY_REQUIRED")
        call.idempotency_key = ""
        return
    key = given[1:-1] if len(given) > 1 and given[0] == given[-1] == '"' else given
    if not (8 <= len(key) <= 120 and key.isascii() and key.isprintable()):
        detail = "Send an Idempotency-Key of 8 to 120 printable characters."
        fault = Fault("/headers/Idempotency-Key", "wrong_shape", detail)
        raise ApiProblem("VALIDATION_ERROR", detail, status=400, errors=[fault])
    call.idempotency_key = key


def _limited(emptied: LimitState) -> ApiProblem:
    # Spread over a fifth more, so that clients do not all come back at once.
    wait = emptied.wait * (1 + random.random() / 5)  # noqa: S311
    retry = ("Retry-After", str(max(1, math.ceil(wait))))
    problem = ApiProblem("RATE_LIMITED", headers=[retry])
    problem.members["violated-policies"] = [emptied.policy.name]
    return problem


@lru_cache(maxsize=4096)
def _address_bucket(ip: str) -> str:
    return f"auth-failures:{addresses.network_of(ip)}"
