"""What the dispatcher claims, what a receiver answered, and what follows from it."""

from dataclasses import dataclass

from apikeys.webhooks.models import QueuedDelivery, WebhookEndpoint

DELIVERED, RETRY, EXHAUSTED = "delivered", "retry", "exhausted"
# It ended without an attempt: its event is too old, or no longer kept.
OUTLIVED = "outlived"


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that is ours until its lease ends, with its endpoint loaded.

    `body` is None where the event is too old to be sent, or no longer kept. `previous_secret` is
    there while deliveries are signed with it too.
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
    """What one attempt brought. `status` is None where no status line came, and `error` says why.

    `at` is seconds since 1970 by the database's clock; the times are microseconds from the start.
    `retry_after` is seconds from now that the receiver asked us to wait.
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
    # No answer in time: the receiver is overloaded, or gone.
    timed_out: bool = False

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_down(self) -> bool:
        """Tell whether the receiver is down, rather than of another opinion: the breaker's rule."""
        return self.status is None or self.status >= 500 or self.status == 429

    @property
    def is_overloaded(self) -> bool:
        """Tell whether fewer should be sent at once."""
        return self.timed_out or self.status in (429, 503)


@dataclass(frozen=True, slots=True)
class Result:
    """A claimed delivery with its answer, and when it is tried again where it is."""

    claimed: Claimed
    answer: ReceiverAnswer
    outcome: str
    wait: float = 0.0
    not_before: float | None = None
