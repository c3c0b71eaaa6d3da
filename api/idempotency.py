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
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import parsers
from api.exception_handler import problem_of
from api.models import IdempotencyRecord
from api.operations import Operation
from api.problems import RETRY, ApiProblem, Fault, unreadable
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
Action = Callable[[Any, Request], Response]
# Exceptions that refuse a call; others are failures of ours.
REFUSALS = (Refused, ApiProblem, ValidationError)
_LOCK_OF_TRANSACTION = "SELECT pg_try_advisory_xact_lock(%s)"
_LOCK_OF_SESSION = "SELECT pg_try_advisory_lock(%s)"


@dataclass
class IdempotencyClaim:
    """A call's use of an Idempotency-Key; `key` is "" if the call has none.

    `fingerprint` is the SHA-256 of the request. Earlier calls with the key left `tries`, the number
    of attempts, and `outcome`, what the outside party returned.
    """

    view: Any
    key: str
    fingerprint: bytes = b""
    tries: int = 0
    outcome: Any = None

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
            raise _reused(kept)
        return kept

    def resume(self, kept: IdempotencyRecord | None) -> None:
        """Continue from where an earlier call with the key ended."""
        if kept is not None:
            self.tries = kept.tries
            self.outcome = orjson.loads(kept.outcome) if kept.outcome else None

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
        kept.outcome = None if self.outcome is None else orjson.dumps(self.outcome).decode()
        kept.save()


class IdempotencyMixin:
    """Runs a changing action once for each Idempotency-Key, or returns the stored response.

    `claim` is the call's use of its key. The view runs an action with `run`.
    """

    claim: IdempotencyClaim
    operation: Operation

    def run(self, action: Action, request: Request) -> Response:
        raise NotImplementedError

    def run_once(self, action: Action, request: Request) -> Response:
        """Run the action, unless an earlier call with the key has its response."""
        key = read_key(request.META.get("HTTP_IDEMPOTENCY_KEY"), self.operation)
        self.claim = claim = IdempotencyClaim(self, key)
        if not key or not self.operation.changes:
            return self.run(action, request)
        claim.fingerprint = _fingerprint(request, self.operation)
        if not self.operation.ask:
            return self._run_claimed(action, request)
        with _lock_of_session(claim):
            return self._ask(request) or self._run_claimed(action, request, locked=True)

    def _ask(self, request: Request) -> Response | None:
        """Call the outside party, unless an earlier call did; return what is stored, if anything.

        The claim is committed before, and the party's answer before anything changes.
        """
        view: Any = self
        claim = self.claim
        with transaction.atomic():
            kept = claim.find()
            if kept is not None and kept.status is not None:
                return _replay(claim, kept)
            claim.resume(kept)
            serializer = view.get_serializer(data=request.data)
            serializer.is_valid(raise_exception=True)
            if claim.outcome is not None:
                return None
            claim.keep(kept, tries=claim.tries + 1)
        try:
            view.require_provider()
            claim.outcome = getattr(view, self.operation.ask)(serializer.validated_data)
        except REFUSALS as refusal:
            return _decline(claim, problem_of(refusal), locked=True)
        with transaction.atomic():
            claim.keep(claim.find(), tries=claim.tries + 1)
        return None

    def _run_claimed(self, action: Action, request: Request, *, locked: bool = False) -> Response:
        """Run and store in one transaction, which takes the key's lock unless it is `locked`."""
        claim = self.claim
        try:
            with transaction.atomic():
                if not locked:
                    _take(_LOCK_OF_TRANSACTION, claim)
                kept = claim.find()
                if kept is not None and kept.status is not None:
                    return _replay(claim, kept)
                claim.resume(kept)
                response = self.run(action, request)
                claim.keep(
                    kept,
                    status=response.status_code,
                    answer=orjson.dumps(response.data),
                    object_id=str((response.data or {}).get("id", "")),
                )
                return response
        except REFUSALS as refusal:
            problem = problem_of(refusal)
        return _decline(claim, problem, locked=locked)


def _reused(kept: IdempotencyRecord) -> ApiProblem:
    """Return the refusal of a key that was used for another request, and when that came."""
    at = clock.iso(kept.created_at)
    return ApiProblem(
        "IDEMPOTENCY_KEY_REUSED",
        f"You used this Idempotency-Key for another request at {at}. Use a new Idempotency-Key for"
        " a new request.",
        headers=[("Original-Request-Id", kept.request_id)],
        first_request_at=at,
    )


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


def _fingerprint(request: Request, operation: Operation) -> bytes:
    """Return the SHA-256 of a request: two with one fingerprint ask for the same."""
    path = request.path_info.partition("/v1")[2]
    query = request.META.get("QUERY_STRING", "")
    sent = parsers.read(request)
    body = parsers.canonical(sent) if operation.body or sent else b""
    asked = (operation.method, path, query, str(request.version))
    return hashlib.sha256("\n".join(asked).encode() + b"\n" + body).digest()


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
            first_request_at=clock.iso(kept.created_at),
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
