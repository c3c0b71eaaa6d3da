"""The requests of a verification round, the expected answers, and the wording of results.

A full round has five correctly signed requests and twelve that are not. An endpoint that accepts
the five and refuses the twelve checks signatures as specified and has the secret. Eight of the
twelve differ only in their signature, so guessing passes one round in 1,287.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from apikeys.webhooks import delivery_signatures, webhook_secrets
from console.core.outbound import OutboundAnswer

# Offset in seconds; the specification tolerates 300.
_OUTSIDE = 360
PROBE, CHALLENGE = "probe", "challenge"
# 4xx statuses that do not concern the signature.
_BUSY = {408, 429}


@dataclass(frozen=True)
class Probe:
    """A kind of request in a round: P1 is signed correctly, N1 to N5 are not.

    `delivery` describes it in sentences. A full round sends it `times` times.
    """

    name: str
    delivery: str
    offset: int = 0
    has_time: bool = True
    has_signature: bool = True
    own_secret: bool = True
    times: int = 1

    @property
    def accepted(self) -> bool:
        """Tell whether a receiver that checks signatures answers 2xx."""
        return self.name.startswith("P")

    @property
    def right(self) -> str:
        """Return the sentence for an endpoint that did as expected."""
        return self.said("accepted" if self.accepted else "refused")

    def said(self, did: str) -> str:
        return f"Your endpoint {did} {self.delivery}."


FULL = (
    Probe("P1", "a delivery with a valid signature", times=5),
    Probe("N1", "a delivery that was signed with another secret", own_secret=False, times=8),
    Probe("N2", "a delivery without a signature", has_signature=False),
    Probe("N3", "a delivery without a timestamp", has_time=False),
    Probe("N4", "a delivery whose timestamp was 6 minutes old", offset=-_OUTSIDE),
    Probe("N5", "a delivery whose timestamp was 6 minutes in the future", offset=_OUTSIDE),
)
WEEKLY = tuple(replace(probe, times=1) for probe in FULL if probe.name in {"P1", "N1"})
_BY_NAME = {probe.name: probe for probe in FULL}


def in_random_order(probes: Sequence[Probe]) -> list[Probe]:
    """Return each probe as often as it is sent, in unpredictable order."""
    sent = [probe for probe in probes for _ in range(probe.times)]
    return sorted(sent, key=lambda _: secrets.randbits(64))


def signature_headers(
    probe: Probe, signing_secrets: Sequence[str], event_id: str, now: int, body: bytes
) -> dict[str, str]:
    """Return our signature header and those of Standard Webhooks, all with the probe's fault."""
    keys = list(signing_secrets) if probe.own_secret else [webhook_secrets.make()]
    at = now + probe.offset
    ours = [f"t={at}"] if probe.has_time else []
    headers = {"webhook-id": event_id}
    if probe.has_time:
        headers["webhook-timestamp"] = str(at)
    if probe.has_signature:
        ours.append(f"v1={delivery_signatures.hex_signature(keys[0], at, body)}")
        headers["webhook-signature"] = delivery_signatures.standard_signature(
            keys, event_id, at, body
        )
    return {delivery_signatures.HEADER: ",".join(ours), **headers}


def result(probe: Probe, answer: OutboundAnswer, challenge: str, secret: str) -> dict[str, Any]:
    """Return the stored result of one request: expected and actual answer."""
    status = answer.status or 0
    refused = 400 <= status < 500 and status not in _BUSY  # HTTP's own numbers
    return {
        "probe": probe.name,
        "expected": "2xx" if probe.accepted else "4xx",
        "status": answer.status,
        "error": answer.error,
        "held": answer.succeeded if probe.accepted else refused,
        "answered_challenge": answer.succeeded and _answers(answer.body, challenge, secret),
    }


def method_of(probes: Sequence[Probe], results: Sequence[dict[str, Any]]) -> str:
    """Return how an endpoint proved that it checks signatures, or "".

    An endpoint that answers 2xx to everything and drops unsigned deliveries later proves it by
    answering the challenge of correctly signed requests only.
    """
    if len(results) < sum(probe.times for probe in probes):
        return ""
    if all(one["held"] for one in results):
        return PROBE
    if all(_is_right_about_challenge(one) for one in results):
        return CHALLENGE
    return ""


def sentence(kept: dict[str, Any]) -> str:
    """Return a sentence about one result of a round."""
    probe = _BY_NAME[kept["probe"]]
    if kept["held"]:
        return probe.right
    if probe.accepted:
        words = probe.said("did not accept")
    else:
        words = probe.said("accepted" if _succeeded(kept) else "did not answer 4xx to")
    return f"{words[:-1]}: {kept['error']}." if kept["error"] else words


def _succeeded(kept: dict[str, Any]) -> bool:
    return kept["status"] is not None and 200 <= kept["status"] < 300


def _is_right_about_challenge(kept: dict[str, Any]) -> bool:
    """Tell whether only the correctly signed request was answered with its challenge response."""
    if _BY_NAME[kept["probe"]].accepted:
        return bool(kept["answered_challenge"])
    return not kept["answered_challenge"] and (kept["held"] or _succeeded(kept))


def response_to(challenge: str, secret: str) -> str:
    """Return the `challenge_response`, which requires the secret."""
    return hmac.new(secret.encode(), challenge.encode(), hashlib.sha256).hexdigest()


def _answers(body: bytes, challenge: str, secret: str) -> bool:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return False
    given = said.get("challenge_response") if isinstance(said, dict) else None
    right = response_to(challenge, secret)
    return isinstance(given, str) and hmac.compare_digest(given.encode(), right.encode())
