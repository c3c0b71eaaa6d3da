"""A call, as it passes through the gateway, and the answer that comes back."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from api.gateway.waiting import WouldWait

if TYPE_CHECKING:
    from api.gateway.admission import Admission
    from api.gateway.caller_limits import CallerLimits
    from api.gateway.concurrency import CallShare
    from api.gateway.database import Database
    from api.gateway.operations import Operation
    from api.gateway.problems import ApiProblem
    from api.gateway.rate_limits import LimitState
    from api.gateway.records import CallerRecord, KeyRecord


class Call:
    """One request. The gate fills it in, check by check; a view reads what it needs.

    What a check has not reached yet is not there: reading it is an AttributeError, not a None
    that looks like an answer.
    """

    __slots__ = (
        "admission",
        "began",
        "body",
        "caller",
        "canonical",
        "database",
        "environ",
        "environment",
        "idempotency_key",
        "in_flight",
        "ip",
        "is_validated",
        "lacking",
        "limit_states",
        "limits",
        "may_wait",
        "method",
        "names",
        "operation",
        "outcome",
        "parameters",
        "passed",
        "path",
        "raw_body",
        "record",
        "request_id",
        "taken",
        "tries",
        "version",
    )

    admission: "Admission"
    environment: str
    path: str
    ip: str
    operation: "Operation"
    names: dict[str, str]
    # Who calls: a business, and the key that it calls with. Its people read with no key.
    caller: "CallerRecord"
    record: "KeyRecord"
    # Why a proven key may not do this, while the refusal is counted.
    lacking: "ApiProblem | None"
    limits: "CallerLimits"
    # Tokens that were taken with the record, by their buckets.
    taken: "dict[str, LimitState]"
    limit_states: "list[LimitState]"
    version: str
    idempotency_key: str
    # What the limit of calls at once has let in, until it is answered.
    in_flight: "CallShare | None"
    # The bytes of the body, once they are read.
    raw_body: bytes | None
    body: dict[str, Any]
    canonical: bytes
    # Under an Idempotency-Key: how often it was tried in vain, and what an outside party has said.
    tries: int
    outcome: Any
    parameters: Mapping[str, Any]

    def __init__(self, environ: dict[str, Any], database: "Database", request_id: str) -> None:
        self.environ = environ
        self.database = database
        # In seconds since 1970.
        self.began = time.time()
        self.method: str = environ["REQUEST_METHOD"]
        self.request_id = request_id
        # How many checks it has passed, and whether it has a thread in which to wait.
        self.passed = 0
        self.taken = {}
        self.may_wait = False
        self.is_validated = False
        self.in_flight = None
        self.raw_body = None
        self.tries = 0
        self.outcome = None

    def require_thread(self) -> None:
        """Go no further on the event loop: what comes next may wait. Raises WouldWait."""
        if not self.may_wait:
            raise WouldWait

    @property
    def query(self) -> str:
        found: str = self.environ.get("QUERY_STRING", "")
        return found

    def header(self, name: str) -> str | None:
        """Return a request header by its WSGI name, such as `HTTP_SERVICE_VERSION`.

        Blanks around a value do not belong to it, whichever server passes them on.
        """
        found: str | None = self.environ.get(name)
        return None if found is None else found.strip(" \t")


@dataclass(slots=True)
class ApiAnswer:
    """What an operation answers, with the status of its row, or another that the row names.

    The gateway adds `request_id` and the headers of every answer.
    """

    body: dict[str, Any]
    headers: Sequence[tuple[str, str]] = ()
    status: int = 0
