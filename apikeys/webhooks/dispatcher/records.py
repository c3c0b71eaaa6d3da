"""Data classes of the dispatcher: claimed deliveries, answers and results."""

from dataclasses import dataclass

from apikeys.webhooks.models import QueuedDelivery, WebhookEndpoint

DELIVERED, RETRY, EXHAUSTED = "delivered", "retry", "exhausted"
# Ended without an attempt: the event is past its retention period.
OUTLIVED = "outlived"


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery leased by this process, with its endpoint loaded.

    `body` is None if the event is past its retention period. `previous_secret` is set while
    deliveries are also signed with it.
    """

    queued: QueuedDelivery
    event_kind: str
    body: bytes | None
    previous_secret: bytes | None = None

    @property
    def endpoint(self) -> WebhookEndpoint:
        return self.queued.endpoint


@dataclass(slots=True)
class ReceiverAnswer:
    """The outcome of one attempt. `status` is None without a status line; `error` then says why.

    `at` is in seconds since 1970 by the database's clock; the durations are microseconds since the
    start. `retry_after` is the number of seconds that the receiver asked us to wait.
    """

    at: float
    status: int | None = None
    error: str = ""
    signed_with: str = "current"
    dns_us: int | None = None
    connect_us: int | None = None
    first_byte_us: int | None = None
    total_us: int | None = None
    excerpt: str = ""
    retry_after: float | None = None
    # The receiver sent no answer in time: it is overloaded or gone.
    timed_out: bool = False

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_down(self) -> bool:
        """Tell whether the receiver is down, as opposed to refusing; used by the breaker."""
        return self.status is None or self.status >= 500 or self.status == 429

    @property
    def is_overloaded(self) -> bool:
        """Tell whether the window should shrink."""
        return self.timed_out or self.status in (429, 503)


@dataclass(frozen=True, slots=True)
class Result:
    """A claimed delivery with its answer, the outcome, and the wait before a retry."""

    claimed: Claimed
    answer: ReceiverAnswer
    outcome: str
    wait: float = 0.0
    not_before: float | None = None
