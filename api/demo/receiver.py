"""The demo's webhook receiver: verifies each signature and stores the newest deliveries.

It follows the documentation for receivers: first it verifies the signature and its time over the
raw body, then it does everything else.
"""

import fcntl
import hmac
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from apikeys.webhooks import delivery_signatures, probing
from apikeys.webhooks.models import WebhookEndpoint
from console.core import clock

LARGEST = 64 * 1024
TOLERANCE_SECONDS = 300
MOST_KEPT = 50
_MOST_BYTES = 2_000_000
_HEADER = re.compile(r"t=(\d{1,12}),v1=([0-9a-f]{64})")


@dataclass(frozen=True)
class Received:
    """A received request: when, its body as text, and whether its signature is valid or why not."""

    at: str
    why_not: str
    body: str

    @property
    def held(self) -> bool:
        return not self.why_not


def receive(header: str, body: bytes) -> Received:
    """Verify and store a delivery. `header` is its `Service-Signature`."""
    came = Received(
        at=clock.iso(clock.now()),
        why_not=objection(_secrets(), header, body),
        body=body.decode("utf-8", "replace"),
    )
    _keep(json.dumps(asdict(came)))
    return came


def objection(secrets: Sequence[str], header: str, body: bytes) -> str:
    """Return why the signature matches none of the secrets, or "" if it matches one."""
    found = _HEADER.fullmatch(header)
    if found is None:
        return "The header has no timestamp or no signature."
    timestamp, given = int(found[1]), found[2]
    if abs(clock.now().timestamp() - timestamp) > TOLERANCE_SECONDS:
        return "The timestamp differs from now by more than 5 minutes."
    right = [delivery_signatures.hex_signature(secret, timestamp, body) for secret in secrets]
    if not any(hmac.compare_digest(one, given) for one in right):
        return "The signature was made with another secret or for another body."
    return ""


def _secrets() -> list[str]:
    """Return the secrets of every endpoint whose URL is this receiver."""
    here = WebhookEndpoint.objects.filter(url=url())
    return [secret for endpoint in here for secret in probing.signing_secrets(endpoint)]


def url() -> str:
    """Return the URL that endpoints deliver to."""
    return settings.BASE_URL.rstrip("/") + reverse("api:demo_receive")


def newest() -> list[Received]:
    """Return the stored deliveries, newest first."""
    path = _path()
    lines = path.read_text().splitlines()[-MOST_KEPT:] if path.exists() else []
    return [Received(**json.loads(line)) for line in reversed(lines)]


def _keep(line: str) -> None:
    """Append a line, safely with several processes, and keep the file small."""
    with _path().open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(line + "\n")
        file.flush()
        if file.tell() > _MOST_BYTES:
            file.seek(0)
            last = file.read().splitlines()[-MOST_KEPT:]
            file.truncate(0)
            file.write("".join(f"{one}\n" for one in last))


def _path() -> Path:
    return Path(settings.DATA_DIR) / "demo-received.jsonl"
