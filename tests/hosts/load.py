"""A financial load: clients that pay out through the proxy and repeat what got no answer."""

import http.client
import json
import ssl
import threading
import time
from functools import cached_property
from typing import Any

from apikeys.models import ApiKey
from apikeys.webhooks.models import WebhookEndpoint
from tests.api.paying import PAYOUTS, body_of
from tests.apikeys import world
from tests.apikeys.webhooks.receiving import Receiver, by_the_specification
from tests.apikeys.webhooks.world import an_endpoint
from tests.hosts.installation import Installation

SECONDS = 8.0
AMOUNT = 100  # minor units
# Answers after which a client asks again with the same Idempotency-Key.
AGAIN = (409, 429, 500, 502, 503, 504)


class Payer(threading.Thread):
    """A business that requests one payout after another until it is stopped."""

    def __init__(self, installation: Installation, number: int) -> None:
        super().__init__(name=f"payer-{number}", daemon=True)
        self.proxy, self.stopped = installation.proxy, threading.Event()
        self.receiver = Receiver(by_the_specification)
        scopes = ("balances:read", "payouts:read", "payouts:write")
        self.key: ApiKey
        self.key, self.plain = world.a_key(scopes=scopes)
        self.endpoint: WebhookEndpoint
        self.endpoint, self.receiver.secret = an_endpoint(
            self.key.grant.business, url=self.receiver.url, verified=True
        )
        self.paid: list[str] = []
        self.unanswered = 0
        self.refused: dict[int, int] = {}
        self.wrong: list[str] = []
        self.longest = 0.0

    def run(self) -> None:
        while not self.stopped.is_set() and not self.wrong:
            began = time.monotonic()
            self._pay(f"{self.name}-{len(self.paid):06}")
            self.longest = max(self.longest, time.monotonic() - began)
            self.stopped.wait(0.3)

    def end(self) -> None:
        """Finish the last payout, and keep receiving."""
        self.stopped.set()
        self.join(120)
        assert not self.is_alive(), f"{self.name} got no answer"

    def _pay(self, idempotency_key: str) -> None:
        while True:
            try:
                status, said = self._post(idempotency_key)
            except (OSError, http.client.HTTPException):
                self.unanswered += 1
                continue
            if status == 201:
                self.paid.append(said["id"])
                return
            self.refused[status] = self.refused.get(status, 0) + 1
            if status not in AGAIN:
                self.wrong.append(f"{self.name}: {status} {said}")
                return
            time.sleep(0.5)

    def _post(self, idempotency_key: str) -> tuple[int, dict[str, Any]]:
        to = http.client.HTTPSConnection(
            "localhost", self.proxy.secure, timeout=SECONDS, context=self._trusting
        )
        headers = {
            "Authorization": f"Bearer {self.plain}",
            "Content-Type": "application/json",
            "Idempotency-Key": idempotency_key,
        }
        try:
            to.request("POST", PAYOUTS, json.dumps(body_of("1.00")), headers)
            answer = to.getresponse()
            text = answer.read()
        finally:
            to.close()
        is_json = "json" in (answer.headers["Content-Type"] or "")
        return answer.status, json.loads(text) if is_json else {}

    @cached_property
    def _trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.proxy.certificate)
