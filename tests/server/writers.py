"""Calls that write while something fails, and what was committed of them."""

import http.client
import json
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from threading import Event
from typing import NamedTuple

from api.payments.models import Customer
from console.events.models import EventDelivery
from tests.api.asking import a_client
from tests.proofs import Proven
from tests.waiting import eventually

PATH = "/sandbox/v1/customers"
AT_ONCE = 4
# Below the sandbox's limit of ten calls a second.
_PAUSE = AT_ONCE / 8
_MOST_SECONDS = 120
_NOTES = 10


class Ask(NamedTuple):
    """A request: its method, path, headers and body."""

    method: str
    path: str
    headers: dict[str, str]
    body: str = ""


class Answer:
    """The answer to a request, and after how many seconds it came."""

    def __init__(self, port: int, ask: Ask) -> None:
        began = time.monotonic()
        with closing(http.client.HTTPConnection("localhost", port, timeout=_MOST_SECONDS)) as to:
            to.request(ask.method, ask.path, body=ask.body or None, headers=ask.headers)
            answer = to.getresponse()
            self.text, self.status = answer.read().decode(), answer.status
            self.headers = answer.headers
        self.seconds = time.monotonic() - began

    @property
    def is_outage(self) -> bool:
        """Tell whether it is a 503 with words, the number of the request, and when to try again."""
        return (
            self.status == http.client.SERVICE_UNAVAILABLE
            and self.headers["X-Request-Id"] in self.text
            and int(self.headers["Retry-After"]) > 0
            and ("We are not available right now" in self.text or _code(self.text) == _AWAY)
        )


_AWAY = "PROVIDER_UNAVAILABLE"


def _code(text: str) -> str:
    return str(json.loads(text)["code"]) if text.startswith("{") else ""


class Writers:
    """Programs of a business that create customers, each with an Idempotency-Key of its own."""

    def __init__(self, port: int) -> None:
        self.port, self.secret = port, a_client()
        # In each body, random so that it is not compressed: every customer needs new pages.
        self.notes = {f"note {number}": secrets.token_hex(200) for number in range(_NOTES)}
        self.answers: list[tuple[str, Answer]] = []
        self.slowest = 0.0

    def send(self) -> list[Answer]:
        """Create some customers at once, and return the answers."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            return list(threads.map(lambda _: self._create(), range(AT_ONCE)))

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Create customers until the end of the block."""
        stop = Event()

        def work() -> None:
            while not stop.wait(_PAUSE):
                self._create()

        with ThreadPoolExecutor(AT_ONCE) as threads:
            works: list[Future[None]] = [threads.submit(work) for _ in range(AT_ONCE)]
            try:
                yield
            finally:
                stop.set()
        for one in works:
            one.result()

    def _create(self) -> Answer:
        key = secrets.token_hex(8)
        answer = self._ask(key)
        self.answers.append((key, answer))
        self.slowest = max(self.slowest, answer.seconds)
        return answer

    def _ask(self, key: str) -> Answer:
        body = {"legal_name": "Acme", "external_customer_id": key, "metadata": self.notes}
        headers = {
            "Authorization": f"Bearer {self.secret}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        ask = Ask("POST", PATH, headers, json.dumps(body))
        while (answer := Answer(self.port, ask)).status == http.client.TOO_MANY_REQUESTS:
            wait = int(answer.headers["Retry-After"])
            assert wait <= _MOST_SECONDS, answer.text
            time.sleep(wait)
        return answer

    def send_again(self) -> list[str]:
        """Send every call again; return those that do not end with exactly one customer."""
        for key, _ in self.answers:
            eventually(partial(self._is_created, key), every=0.2)
        made = _customers()
        return [key for key, _ in self.answers if made[key] != 1]

    def _is_created(self, key: str) -> bool:
        return self._ask(key).status == http.client.CREATED

    def report(self, proven: Proven, *, stuck: Iterable[object] = ()) -> None:
        """Report what was answered during the fault, after it has ended."""
        made = _customers()
        lost = [key for key, one in self.answers if one.status < 300 and not made[key]]
        by_status = Counter(one.status for _, one in self.answers)
        other = [
            f"{one.status} {one.text}"
            for _, one in self.answers
            if one.status != http.client.CREATED and not one.is_outage
        ]
        stuck = [*self.send_again(), *stuck]
        said = ", ".join(
            f"{count} answered {status}" for status, count in sorted(by_status.items())
        )
        proven.reached(
            f"{said}: {len(lost)} not committed, {len(other)} without words,"
            f" slowest {self.slowest:.0f} s; {len(stuck)} stuck",
            met=not (lost or other or stuck) and bool(self.answers),
            wrong=[*lost, *other, *stuck],
        )


def _customers() -> Counter[str]:
    return Counter(Customer.objects.values_list("external_customer_id", flat=True))


def waiting() -> list[str]:
    """Return the work that is not done."""
    rows = EventDelivery.objects.waiting().select_related("event")
    return [f"{one}: {one.event.kind}, {one.last_error}" for one in rows]
