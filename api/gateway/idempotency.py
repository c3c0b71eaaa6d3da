"""Idempotency: the same key with the same request has one effect, and is answered the same again.

A change that needs nobody else is one transaction: the claim on the key, the change with its event
and audit entry, and the stored answer. The claim is an advisory lock of that transaction, so a
process that is killed at any line leaves nothing behind, and a second call meanwhile waits for
nothing: it does not get the lock, and is told so.

An operation that asks an outside party commits its claim before it asks, and what it was told
before it changes anything. The same key goes on from there, however the first call ended.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction

from api.gateway.calls import ApiAnswer, Call
from api.gateway.operations import Asking
from api.gateway.problems import RETRY, ApiProblem, problem_for
from console.audit import context
from console.core import clock, vault
from console.core.refusals import Refused

# Refusals that would be the same whenever they were asked again: they are the answer of their key.
_FINAL = frozenset(
    {
        "COMPLIANCE_BLOCKED",
        "NO_PROVIDER_ENABLED",
        "QUOTE_EXPIRED",
        "STOCK_CONFLICT",
        "INSUFFICIENT_BALANCE",
    }
)
_FIND = """
SELECT fingerprint, status, answer, outcome, tries, request_id, object_id
FROM gateway_idempotencyrecord WHERE business_id = %s AND environment = %s AND key = %s
"""
_KEEP = """
INSERT INTO gateway_idempotencyrecord AS kept
    (business_id, environment, key, operation, fingerprint, request_id, created_at,
     status, answer, object_id, outcome, tries)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (business_id, environment, key) DO UPDATE SET
    status = EXCLUDED.status, answer = EXCLUDED.answer, object_id = EXCLUDED.object_id,
    outcome = EXCLUDED.outcome, tries = EXCLUDED.tries
WHERE kept.fingerprint = EXCLUDED.fingerprint AND kept.status IS NULL
"""


class Kept(NamedTuple):
    """What is known of a key: unfinished without a status, forgotten without an answer."""

    fingerprint: bytes
    status: int | None
    answer: bytes
    outcome: Any
    tries: int
    request_id: str
    object_id: str


def perform(call: Call) -> ApiAnswer | ApiProblem:
    """Validate and run an operation that may change something."""
    around = context.Circumstances(call.request_id, call.ip, via="api")
    with context.during(around):
        if not call.idempotency_key:
            return _run(call)
        if call.operation.ask is None:
            return _in_one_transaction(call, _lock_of_transaction)
        with _lock_of_session(call):
            return _ask_first(call, call.operation.ask)


def _in_one_transaction(call: Call, lock: Any) -> ApiAnswer | ApiProblem:
    try:
        with transaction.atomic():
            lock(call)
            if (kept := _find(call)) is not None and kept.status is not None:
                return _replay(call, kept)
            call.tries = kept.tries if kept else 0
            call.outcome = kept.outcome if kept else None
            answer = _run(call)
            status = answer.status or call.operation.status
            _keep(call, status, orjson.dumps(answer.body), _object_of(answer))
            return answer
    except Refused as refused:
        problem = problem_for(refused)
    except ApiProblem as raised:
        problem = raised
    return _declined(call, problem, lock)


def _ask_first(call: Call, ask: Asking) -> ApiAnswer | ApiProblem:
    """Commit the claim, ask, commit what was said, and only then change anything."""
    with transaction.atomic():
        kept = _find(call)
        if kept is not None and kept.status is not None:
            return _replay(call, kept)
        call.operation.validate(call)
        call.tries = kept.tries if kept else 0
        call.outcome = kept.outcome if kept else None
        if call.outcome is None:
            _keep(call, None, tries=call.tries + 1)
    if call.outcome is None:
        try:
            call.outcome = ask(call)
        except Refused as refused:
            return _declined(call, problem_for(refused), _already_locked)
        except ApiProblem as problem:
            return _declined(call, problem, _already_locked)
        with transaction.atomic():
            _keep(call, None, tries=call.tries + 1, outcome=call.outcome)
    return _in_one_transaction(call, _already_locked)


def _run(call: Call) -> ApiAnswer:
    if not call.is_validated:
        call.operation.validate(call)
    return call.operation.function(call)


def _declined(call: Call, problem: ApiProblem, lock: Any) -> ApiProblem | ApiAnswer:
    """Keep a final refusal as the answer, and count a try that may be made again."""
    name = problem.code.name
    if name not in _FINAL and name != "PROVIDER_UNAVAILABLE":
        return problem
    with transaction.atomic():
        lock(call)
        kept = _find(call)
        if kept is not None and kept.status is not None:
            return _replay(call, kept)
        if name in _FINAL:
            said = {"code": name, "detail": problem.detail, "members": problem.members}
            _keep(call, problem.status, orjson.dumps(said))
        elif call.operation.ask is None:
            _keep(call, None, tries=(kept.tries if kept else 0) + 1)
    return problem


def _replay(call: Call, kept: Kept) -> ApiAnswer | ApiProblem:
    """Answer as the first call was answered; the request's id is this one's own."""
    assert kept.status is not None
    if not kept.answer:
        existing = f"{call.operation.path}/{kept.object_id}" if kept.object_id else None
        raise ApiProblem(
            "IDEMPOTENCY_KEY_REUSED",
            "This Idempotency-Key was used more than 30 days ago.",
            existing=existing,
        )
    headers = [("Idempotent-Replayed", "true"), ("Original-Request-Id", kept.request_id)]
    answer = vault.open_(kept.answer, _purpose(call)) if call.operation.secret else kept.answer
    said = orjson.loads(answer)
    if kept.status < 400:
        return ApiAnswer(said, headers, kept.status)
    return ApiProblem(
        said["code"], said["detail"], status=kept.status, headers=headers, **said["members"]
    )


def _find(call: Call) -> Kept | None:
    """Return what is known of the key, or None; a key of another request is refused."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND, _name(call))
        row = cursor.fetchone()
    if row is None:
        return None
    fingerprint, status, answer, outcome, *more = row
    said = orjson.loads(outcome) if outcome else None
    kept = Kept(bytes(fingerprint), status, bytes(answer), said, *more)
    if kept.fingerprint != _fingerprint(call):
        raise ApiProblem("IDEMPOTENCY_KEY_REUSED")
    return kept


def _keep(
    call: Call,
    status: int | None,
    answer: bytes = b"",
    object_id: str = "",
    *,
    tries: int = 1,
    outcome: Any = None,
) -> None:
    """Write what is known of the key. A row that holds an answer is never written again.

    An answer that holds a secret is sealed: a copy of the database does not tell it.
    """
    said = None if outcome is None else orjson.dumps(outcome).decode()
    if answer and call.operation.secret:
        answer = vault.seal(answer, _purpose(call))
    values = (
        *_name(call), call.operation.name, _fingerprint(call), call.request_id, clock.now(),
        status, answer, object_id, said, tries,
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, values)
        if cursor.rowcount != 1:
            raise RuntimeError("An answered Idempotency-Key was to be answered again.")


def _object_of(answer: ApiAnswer) -> str:
    return str(answer.body.get("id", ""))


def _name(call: Call) -> tuple[int, str, str]:
    return call.record.business_pk, call.environment, call.idempotency_key


def _purpose(call: Call) -> str:
    """Return what an answer that holds a secret is sealed for: no other row can hold it."""
    return f"answer to {_name(call)}"


def _fingerprint(call: Call) -> bytes:
    """Return what a request asks for: of two equal ones, the same."""
    asked = (call.method, call.path, call.query, call.version)
    return hashlib.sha256("\n".join(asked).encode() + b"\n" + call.canonical).digest()


def _number(call: Call) -> int:
    """Return the number of a key's lock: 64 bits of a hash, with a sign."""
    name = "\n".join(map(str, _name(call))).encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:8], signed=True)


def _lock_of_transaction(call: Call) -> None:
    _ask_for_lock("SELECT pg_try_advisory_xact_lock(%s)", call)


def _already_locked(_: Call) -> None:
    """The session holds the lock."""


@contextmanager
def _lock_of_session(call: Call) -> Iterator[None]:
    """Hold the key over several transactions. The lock ends with the process, or here."""
    _ask_for_lock("SELECT pg_try_advisory_lock(%s)", call)
    try:
        yield
    finally:
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [_number(call)])


def _ask_for_lock(statement: str, call: Call) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [_number(call)])
        (held,) = cursor.fetchone() or (False,)
    if not held:
        raise ApiProblem("IDEMPOTENT_REQUEST_IN_PROGRESS", headers=[RETRY])
