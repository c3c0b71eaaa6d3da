"""Idempotency: the same key with the same request has one effect and one response.

An ordinary change is a single transaction: the claim on the key, the change with its event and
audit entry, and the stored response. The claim is a transaction-level advisory lock, so a killed
process leaves nothing behind. A concurrent call does not wait for the lock, and gets
IDEMPOTENT_REQUEST_IN_PROGRESS.

An operation that calls an outside party commits its claim before the call, and the party's answer
before any change. A retry with the same key continues from there, however the first call ended.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from django.db import connection, transaction
from rest_framework.response import Response

from api.models import IdempotencyRecord
from api.operations import Operation
from api.problems import RETRY, ApiProblem, Fault, problem_for, unreadable
from console.core import clock, vault
from console.core.refusals import Refused

# Refusals that a retry would not change: stored as the response of their key.
FINAL_CODES = frozenset(
    {
        "COMPLIANCE_BLOCKED",
        "NO_PROVIDER_ENABLED",
        "QUOTE_EXPIRED",
        "STOCK_CONFLICT",
        "INSUFFICIENT_BALANCE",
    }
)
_LOCK_OF_TRANSACTION = "SELECT pg_try_advisory_xact_lock(%s)"
_LOCK_OF_SESSION = "SELECT pg_try_advisory_lock(%s)"


@dataclass
class IdempotencyClaim:
    """A use of an Idempotency-Key. `fingerprint` is the SHA-256 of the request.

    Progress from earlier uses of the key is set on the view, as `tries` and `outcome`.
    """

    view: Any
    fingerprint: bytes

    @property
    def key(self) -> str:
        key: str = self.view.idempotency_key
        return key

    @property
    def operation(self) -> Operation:
        found: Operation = self.view.operation
        return found

    @property
    def lock_number(self) -> int:
        """Return the key's advisory lock number: a signed 64-bit hash."""
        name = "\n".join(map(str, self._name)).encode()
        return int.from_bytes(hashlib.sha256(name).digest()[:8], signed=True)

    @property
    def purpose(self) -> str:
        """Return the encryption purpose, which binds a secret response to this key's row."""
        return f"answer to {self._name}"

    @property
    def _name(self) -> tuple[int, str, str]:
        return self.view.business.pk, self.view.environment, self.key

    def find(self) -> IdempotencyRecord | None:
        """Return the key's record or None. Raises IDEMPOTENCY_KEY_REUSED for another request."""
        kept = IdempotencyRecord.objects.filter(
            business=self.view.business, environment=self.view.environment, key=self.key
        ).first()
        if kept is not None and bytes(kept.fingerprint) != self.fingerprint:
            raise ApiProblem("IDEMPOTENCY_KEY_REUSED")
        return kept

    def resume(self, kept: IdempotencyRecord | None) -> None:
        """Continue from where an earlier call with the key ended."""
        if kept is not None:
            self.view.tries = kept.tries
            self.view.outcome = orjson.loads(kept.outcome) if kept.outcome else None

    def keep(
        self,
        kept: IdempotencyRecord | None,
        *,
        status: int | None = None,
        answer: bytes = b"",
        object_id: str = "",
        tries: int = 1,
    ) -> None:
        """Save the state of the key. The caller must hold its lock.

        Responses with a secret are encrypted, so that a database copy does not reveal them.
        """
        if kept is None:
            kept = IdempotencyRecord(
                business=self.view.business,
                environment=self.view.environment,
                key=self.key,
                operation=self.operation.name,
                fingerprint=self.fingerprint,
                request_id=self.view.request_id,
                created_at=clock.now(),
            )
        elif kept.status is not None:
            raise RuntimeError("An answered Idempotency-Key was to be answered again.")
        secret = answer and self.operation.secret
        kept.status, kept.object_id, kept.tries = status, object_id, tries
        kept.answer = vault.seal(answer, self.purpose) if secret else answer
        kept.outcome = (
            None if self.view.outcome is None else orjson.dumps(self.view.outcome).decode()
        )
        kept.save()


def read_key(given: str | None, operation: Operation) -> str:
    """Return the Idempotency-Key, bare or quoted. Operations that move money require one."""
    if given is None:
        if operation.financial:
            raise ApiProblem("IDEMPOTENCY_KEY_REQUIRED")
        return ""
    key = given[1:-1] if len(given) > 1 and given[0] == given[-1] == '"' else given
    if not (8 <= len(key.strip()) <= len(key) <= 120 and key.isascii() and key.isprintable()):
        said = "Send an Idempotency-Key of 8 to 120 printable characters, not only spaces."
        raise unreadable("/headers/Idempotency-Key", "wrong_shape", said)
    return key


def perform(
    claim: IdempotencyClaim,
    validate: Callable[[], None],
    run: Callable[[], Response],
    ask: Callable[[], Any] | None,
) -> Response:
    """Validate and run an operation once for each key, or return the stored response."""
    if ask is None:
        return _in_one_transaction(claim, validate, run)
    with _lock_of_session(claim):
        with transaction.atomic():
            kept = claim.find()
            if kept is not None and kept.status is not None:
                return _replay(claim, kept)
            claim.resume(kept)
            validate()
            if claim.view.outcome is None:
                claim.keep(kept, tries=claim.view.tries + 1)
        if claim.view.outcome is None:
            # Commit the outside party's answer before changing anything.
            try:
                claim.view.outcome = ask()
            except (Refused, ApiProblem) as refusal:
                return _decline(claim, _problem(refusal), locked=True)
            with transaction.atomic():
                claim.keep(claim.find(), tries=claim.view.tries + 1)
        return _in_one_transaction(claim, None, run)


def _in_one_transaction(
    claim: IdempotencyClaim, validate: Callable[[], None] | None, run: Callable[[], Response]
) -> Response:
    """Run and store in one transaction. No `validate` means already locked and validated."""
    try:
        with transaction.atomic():
            if validate is not None:
                _take(_LOCK_OF_TRANSACTION, claim)
            kept = claim.find()
            if kept is not None and kept.status is not None:
                return _replay(claim, kept)
            claim.resume(kept)
            if validate is not None:
                validate()
            response = run()
            claim.keep(
                kept,
                status=response.status_code,
                answer=orjson.dumps(response.data),
                object_id=str((response.data or {}).get("id", "")),
            )
            return response
    except (Refused, ApiProblem) as refusal:
        problem = _problem(refusal)
    return _decline(claim, problem, locked=validate is None)


def _problem(refusal: Refused | ApiProblem) -> ApiProblem:
    return refusal if isinstance(refusal, ApiProblem) else problem_for(refusal)


def _decline(claim: IdempotencyClaim, problem: ApiProblem, *, locked: bool) -> Response:
    """Store a final refusal as the key's response, or count a retryable attempt; then raise it.

    If another call with the key has been answered meanwhile, return its response.
    """
    name = problem.code.name
    if name not in FINAL_CODES and name != "PROVIDER_UNAVAILABLE":
        raise problem
    with transaction.atomic():
        if not locked:
            _take(_LOCK_OF_TRANSACTION, claim)
        kept = claim.find()
        if kept is not None and kept.status is not None:
            return _replay(claim, kept)
        if name in FINAL_CODES:
            said = {"code": name, "detail": problem.detail, "members": problem.extensions}
            claim.keep(kept, status=problem.status, answer=orjson.dumps(said))
        elif not claim.operation.ask:
            claim.keep(kept, tries=(kept.tries if kept else 0) + 1)
    raise problem


def _replay(claim: IdempotencyClaim, kept: IdempotencyRecord) -> Response:
    """Return the stored response, with this request's own ID."""
    assert kept.status is not None
    if not kept.answer:
        operation, made = claim.operation, kept.object_id
        readable = made and hasattr(claim.view, "retrieve") and "{" not in operation.path
        existing = f"{operation.path}/{made}" if readable else None
        raise ApiProblem(
            "IDEMPOTENCY_KEY_REUSED",
            "You used this Idempotency-Key more than 30 days ago. Use a new one.",
            existing=existing,
        )
    headers = {"Idempotent-Replayed": "true", "Original-Request-Id": kept.request_id}
    answer = bytes(kept.answer)
    said = orjson.loads(vault.open_(answer, claim.purpose) if claim.operation.secret else answer)
    if kept.status < HTTPStatus.BAD_REQUEST:
        return Response(said, kept.status, headers=headers)
    raise ApiProblem(
        said["code"],
        said["detail"],
        status=kept.status,
        headers=list(headers.items()),
        errors=[Fault(**fault) for fault in said["members"].pop("errors", [])],
        **said["members"],
    )


@contextmanager
def _lock_of_session(claim: IdempotencyClaim) -> Iterator[None]:
    """Lock the key across several transactions, until this block or the process ends."""
    _take(_LOCK_OF_SESSION, claim)
    try:
        yield
    finally:
        if connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [claim.lock_number])


def _take(statement: str, claim: IdempotencyClaim) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [claim.lock_number])
        (held,) = cursor.fetchone() or (False,)
    if not held:
        raise ApiProblem("IDEMPOTENT_REQUEST_IN_PROGRESS", headers=[RETRY])
