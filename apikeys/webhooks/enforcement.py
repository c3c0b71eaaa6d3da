"""What a round of probes sends, what each should bring, and what its outcome says in words.

Two probes are signed as deliveries are, five are not: whoever accepts the two and none of the five
checks signatures as the specification says, and holds the secret.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apikeys.webhooks import signatures, webhook_secrets
from console.core.outbound import OutboundAnswer

# Seconds from now: the specification lets 300 pass.
_OUTSIDE = 360
PROBE, CHALLENGE = "probe", "challenge"


@dataclass(frozen=True)
class Probe:
    """One request of a round: P1 and P2 are signed as they should be, N1 to N5 are not."""

    name: str
    # What is told of an endpoint that did as expected, and of one that did not.
    right: str
    wrong: str
    offset: int = 0
    has_time: bool = True
    has_signature: bool = True
    own_secret: bool = True

    @property
    def accepted(self) -> bool:
        """Tell whether a receiver that checks answers with 2xx."""
        return self.name.startswith("P")


FULL = (
    Probe(
        "P1",
        "Your endpoint accepted a delivery with a valid signature.",
        "Your endpoint did not accept a delivery with a valid signature.",
    ),
    Probe(
        "P2",
        "Your endpoint accepted a second delivery with a valid signature.",
        "Your endpoint did not accept a second delivery with a valid signature.",
    ),
    Probe(
        "N1",
        "Your endpoint refused a delivery that was signed with another secret.",
        "Your endpoint accepted a delivery that was signed with another secret.",
        own_secret=False,
    ),
    Probe(
        "N2",
        "Your endpoint refused a delivery without a signature.",
        "Your endpoint accepted a delivery without a signature.",
        has_signature=False,
    ),
    Probe(
        "N3",
        "Your endpoint refused a delivery without a timestamp.",
        "Your endpoint accepted a delivery without a timestamp.",
        has_time=False,
    ),
    Probe(
        "N4",
        "Your endpoint refused a delivery whose timestamp was 6 minutes old.",
        "Your endpoint accepted a delivery whose timestamp was 6 minutes old.",
        offset=-_OUTSIDE,
    ),
    Probe(
        "N5",
        "Your endpoint refused a delivery whose timestamp was 6 minutes in the future.",
        "Your endpoint accepted a delivery whose timestamp was 6 minutes in the future.",
        offset=_OUTSIDE,
    ),
)
WEEKLY = tuple(probe for probe in FULL if probe.name in {"P1", "N1"})
_BY_NAME = {probe.name: probe for probe in FULL}


def in_random_order(probes: Sequence[Probe]) -> list[Probe]:
    """Return the probes in an order that nobody can foresee."""
    return sorted(probes, key=lambda _: secrets.randbits(64))


def signature_headers(
    probe: Probe, signing_secrets: Sequence[str], event_id: str, now: int, body: bytes
) -> dict[str, str]:
    """Return both families of signature headers, with the fault of the probe in both alike."""
    keys = list(signing_secrets) if probe.own_secret else [webhook_secrets.make()]
    at = now + probe.offset
    ours = [f"t={at}"] if probe.has_time else []
    headers = {"webhook-id": event_id}
    if probe.has_time:
        headers["webhook-timestamp"] = str(at)
    if probe.has_signature:
        ours.append(f"v1={signatures.hex_signature(keys[0], at, body)}")
        headers["webhook-signature"] = signatures.standard_signature(keys, event_id, at, body)
    return {signatures.HEADER: ",".join(ours), **headers}


def result(probe: Probe, answer: OutboundAnswer, challenge: str, secret: str) -> dict[str, Any]:
    """Return what is kept of one request: what was expected, and what came."""
    return {
        "probe": probe.name,
        "expected": "2xx" if probe.accepted else "not 2xx",
        "status": answer.status,
        "error": answer.error,
        "held": answer.succeeded == probe.accepted,
        "answered_challenge": answer.succeeded and _answers(answer.body, challenge, secret),
    }


def method_of(probes: Sequence[Probe], results: Sequence[dict[str, Any]]) -> str:
    """Return how an endpoint proved itself, or nothing.

    Whoever accepts everything, and drops later what is not signed, proves it by answering the
    challenge of what is signed and of nothing else.
    """
    if len(results) < len(probes):
        return ""
    if all(one["held"] for one in results):
        return PROBE
    if all(one["answered_challenge"] == _BY_NAME[one["probe"]].accepted for one in results):
        return CHALLENGE
    return ""


def sentence(kept: dict[str, Any]) -> str:
    """Say in words what one result of a round shows."""
    probe = _BY_NAME[kept["probe"]]
    words = probe.right if kept["held"] else probe.wrong
    if not probe.accepted and kept["status"] is None:
        # It accepted nothing, and that is all that is known.
        return words.replace("refused", "did not answer", 1)
    if probe.accepted and not kept["held"] and kept["error"]:
        return f"{words[:-1]}: {kept['error']}."
    return words


def response_to(challenge: str, secret: str) -> str:
    """Return the `challenge_response` of whoever holds the secret."""
    return hmac.new(secret.encode(), challenge.encode(), hashlib.sha256).hexdigest()


def _answers(body: bytes, challenge: str, secret: str) -> bool:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return False
    given = said.get("challenge_response") if isinstance(said, dict) else None
    right = response_to(challenge, secret)
    return isinstance(given, str) and hmac.compare_digest(given.encode(), right.encode())
