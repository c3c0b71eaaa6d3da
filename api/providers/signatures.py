"""Signatures of requests and events, by Standard Webhooks, with each side's own secret."""

import hmac
from collections.abc import Mapping, Sequence
from datetime import datetime

from apikeys.webhooks.delivery_signatures import standard_signature
from console.core import clock

TOLERANCE_SECONDS = 300
ID, TIME, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


def headers(secret: str, name: str, body: bytes, *, at: datetime | None = None) -> dict[str, str]:
    """Return the headers that sign a body, now by default. `name` is what `webhook-id` says."""
    moment = int((at or clock.now()).timestamp())
    signature = standard_signature([secret], name, moment, body)
    return {ID: name, TIME: str(moment), SIGNATURE: signature}


def objection(secrets: Sequence[str], given: Mapping[str, str], body: bytes) -> str:
    """Return why these headers do not sign the body, or "" if they do."""
    name, timestamp = given.get(ID, ""), given.get(TIME, "")
    if not name or not timestamp.isascii() or not timestamp.isdecimal() or len(timestamp) > 12:
        return f"Send {ID}, {TIME} in Unix seconds and {SIGNATURE}."
    if abs(clock.now().timestamp() - int(timestamp)) > TOLERANCE_SECONDS:
        return f"{TIME} differs from now by more than {TOLERANCE_SECONDS} seconds."
    right = standard_signature(secrets, name, int(timestamp), body).split()
    sent = given.get(SIGNATURE, "").split()
    if not any(
        hmac.compare_digest(one.encode(), other.encode()) for one in right for other in sent
    ):
        return f"{SIGNATURE} was made with another secret or for another body."
    return ""
