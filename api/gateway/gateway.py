"""The gateway: beside the console, without the console's middleware.

A call in, an answer out. It builds no framework request: admission reads what it needs, and an
operation is a function from a Call to an Answer. What waits for nothing is answered on the event
loop; a call that comes to something that waits goes on in a thread, from there.
"""

import logging
import random
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Any

import psycopg
from django.conf import settings
from django.db import OperationalError, connections
from django.db.backends.signals import connection_created
from django.http.request import split_domain_port, validate_host

from api.gateway import concurrency, header_fields, idempotency
from api.gateway.admission import Admission
from api.gateway.cache import Records
from api.gateway.calls import ApiAnswer, Call
from api.gateway.concurrency import ConcurrencyLimiter
from api.gateway.database import Database
from api.gateway.envelopes import JSON, Envelope
from api.gateway.limiter import Limiter
from api.gateway.operations import Operation, Table
from api.gateway.problems import RETRY, ApiProblem, problem_for, unreadable
from api.gateway.rate_limits import RATE_LIMITS, RateLimits
from api.gateway.request_log import RequestLogWriter
from api.gateway.waiting import WouldWait
from console.core import addresses
from console.core.refusals import Refused
from console.server.environ import Environ
from console.server.pools import Work
from console.server.responses import RawResponse

log = logging.getLogger(__name__)

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
Found = ApiAnswer | ApiProblem

SANDBOX_ROOT, LIVE_ROOT = _ROOTS = "/sandbox/v1", "/v1"
_BELOW_ROOTS = tuple(f"{root}/" for root in _ROOTS)
# A plain number: it is compared on the way of every answer.
_NO_CONTENT = HTTPStatus.NO_CONTENT.value
_STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class Gateway:
    """Answers every request under the API's two roots."""

    def __init__(self, table: Table, rate_limits: RateLimits = RATE_LIMITS) -> None:
        self.table = table
        self.database = Database()
        self.limiter = Limiter(self.database)
        self.concurrency = ConcurrencyLimiter(self.database)
        heard = {concurrency.CHANNEL: self.concurrency.give_back_soon}
        self.records = Records(self.database, **heard)
        self.request_log = RequestLogWriter(self.database, table.words)
        self.admission = Admission(table, self.records, self.limiter, self.concurrency, rate_limits)
        self._always = header_fields.of_every_answer()
        self._opening = threading.Lock()
        self._open = False

    def begin(self, environ: Environ) -> RawResponse | Work:
        """Answer on the event loop, or return what is left to do in a thread."""
        call = self._call(environ)
        try:
            return self._answered(call)
        except WouldWait:
            return partial(self._go_on, call)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer as any WSGI application does."""
        response = self._go_on(self._call(environ))
        start_response(_STATUS_LINES[response.status], response.headers())
        return [response.body] if environ["REQUEST_METHOD"] != "HEAD" else []

    def decline(self, environ: Environ, problem: ApiProblem) -> RawResponse:
        """Answer a request that did not arrive, or found no room, as one that was looked at."""
        call = self._call(environ)
        call.ip = _client(environ)
        call.environment, call.path = root_and_path(environ["PATH_INFO"])
        return self._response(call, problem)

    def _call(self, environ: Environ) -> Call:
        if not self._open:
            self.open()
        return Call(environ, self.database, _request_id())

    def _go_on(self, call: Call) -> RawResponse:
        call.may_wait = True
        return self._answered(call)

    def _answered(self, call: Call) -> RawResponse:
        """Return the whole answer. Raises WouldWait while the call has no thread."""
        found = self._decide(call)
        try:
            return self._response(call, found)
        finally:
            if call.in_flight is not None:
                call.in_flight.leave()

    def _response(self, call: Call, found: Found) -> RawResponse:
        try:
            status, body, fields, code = self._respond(call, found)
        except TypeError:
            # orjson's own: an answer of ours that JSON cannot hold.
            log.exception("gateway_answer_unwritable", extra={"request_id": call.request_id})
            status, body, fields, code = self._respond(call, ApiProblem("INTERNAL_ERROR"))
        self.request_log.note(call, status, code)
        always = self._always[getattr(call, "environment", "live")]
        return RawResponse(status, fields + header_fields.of_call(call) + always, body)

    def open(self) -> None:
        """Start listening and writing. Lazily, so that it happens after the server has forked."""
        with self._opening:
            if not self._open:
                self.records.start()
                self.limiter.start()
                self.request_log.start()
                self.concurrency.start()
                self._open = True

    def close(self) -> None:
        """Write what waits and stop the threads."""
        with self._opening:
            if self._open:
                self.records.stop()
                self.limiter.stop()
                self.request_log.stop()
                self.concurrency.stop()
                self.database.close()
                self._open = False

    def _respond(self, call: Call, found: Found) -> tuple[int, bytes, bytes, str]:
        """Return status, body, the header lines that are its own, and the code of a refusal."""
        if isinstance(found, ApiProblem):
            envelope = self._envelope(call)
            own = header_fields.of_refusal(found)
            own += header_fields.content_type(envelope.refusal_type)
            return found.status, envelope.refuse(found, call.request_id), own, found.code.name
        own = header_fields.of_answer(found)
        status = found.status or call.operation.status
        if status == _NO_CONTENT:
            return status, b"", own, ""
        body = call.operation.envelope.answer(found.body, call.request_id)
        return status, body, own + header_fields.content_type(JSON), ""

    def _envelope(self, call: Call) -> Envelope:
        """Return how to refuse a call, which may not have come as far as its operation."""
        operation: Operation | None = getattr(call, "operation", None)
        if operation is not None:
            return operation.envelope
        return self.table.envelope(getattr(call, "path", ""))

    def _decide(self, call: Call) -> Found:
        """Return what the operation answers, or why it was not reached.

        Nothing escapes but WouldWait, while the call has no thread.
        """
        try:
            return self._answer(call)
        except WouldWait:
            raise
        except ApiProblem as problem:
            return problem
        except Refused as refused:
            return problem_for(refused)
        except (psycopg.OperationalError, OperationalError):
            log.exception("gateway_without_database", extra={"request_id": call.request_id})
            return ApiProblem("PROVIDER_UNAVAILABLE", headers=[RETRY])
        except Exception:
            log.exception("gateway_failed", extra={"request_id": call.request_id})
            return ApiProblem("INTERNAL_ERROR")

    def _answer(self, call: Call) -> Found:
        environ = call.environ
        call.ip = _client(environ)
        call.environment, call.path = root_and_path(environ.get("PATH_INFO", ""))
        _check_host(environ.get("HTTP_HOST", ""))
        if settings.HTTPS and not addresses.is_secure(environ):
            return unreadable("/url", "not_https", "Call the API with https.")
        if refusal := self.admission.admit(call):
            return refusal
        try:
            if call.operation.changes:
                return idempotency.perform(call)
            call.operation.validate(call)
            return call.operation.function(call)
        finally:
            if _thread.used_orm:
                _give_connections_back()


class _Thread(threading.local):
    """Whether an operation of this thread has opened a connection of Django's."""

    used_orm = False


_thread = _Thread()


def _note_connection(**_: object) -> None:
    _thread.used_orm = True


# Looking through all connections costs as much as all checks together, and most calls open none.
connection_created.connect(_note_connection, dispatch_uid="api.gateway")


def _give_connections_back() -> None:
    for connection in connections.all(initialized_only=True):
        connection.close_if_unusable_or_obsolete()
    _thread.used_orm = any(
        connection.connection is not None for connection in connections.all(initialized_only=True)
    )


def _request_id() -> str:
    """Return a name for this request, as long as our other ids.

    It opens nothing, so it need not be secret; asking the system for randomness would let other
    threads in and cost as much as all checks together.
    """
    return f"req_{random.getrandbits(104):026x}"


def leads_here(path: str) -> bool:
    """Tell whether a path belongs to the API, however many slashes it begins with."""
    if path[:1] != "/" or path[:2] == "//":
        path = "/" + path.lstrip("/")
    return path.startswith(_BELOW_ROOTS) or path in _ROOTS


def root_and_path(path: str) -> tuple[str, str]:
    """Return the environment that a path names, and the rest of the path."""
    if path.startswith(LIVE_ROOT):
        return "live", path[len(LIVE_ROOT) :]
    if path.startswith(SANDBOX_ROOT):
        return "sandbox", path[len(SANDBOX_ROOT) :]
    return "sandbox" if SANDBOX_ROOT in path else "live", path


def _client(environ: dict[str, Any]) -> str:
    return _address(environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", ""))


@lru_cache(maxsize=4096)
def _address(peer: str, forwarded: str) -> str:
    """Return the caller's address; one with a zone means nothing outside its own machine."""
    found = addresses.resolve(peer, forwarded)
    return "" if "%" in found else found


@lru_cache(maxsize=256)
def _is_ours(host: str) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _check_host(host: str) -> None:
    if not _is_ours(host):
        raise unreadable("/headers/Host", "unknown_host", "Call the API at its own address.")
