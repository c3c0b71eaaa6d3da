"""Sign a delivery: the specification's header, and those of Standard Webhooks from one secret."""

import base64
import hmac
from collections.abc import Sequence

from apikeys.webhooks.webhook_secrets import PREFIX

HEADER = "Service-Signature"


def hex_signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return `v1`: the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret as text."""
    # One call into C: an object would cost twice as much.
    return hmac.digest(secret.encode(), b"%d.%b" % (timestamp, body), "sha256").hex()


def service_signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of `Service-Signature` (specification, section 6)."""
    return f"t={timestamp},v1={hex_signature(secret, timestamp, body)}"


def standard_signature(secrets: Sequence[str], event_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: one for each secret that counts, the newest first.

    Keyed with the bytes that the base64 after `whsec_` stands for (Standard Webhooks).
    """
    content = b"%b.%d.%b" % (event_id.encode(), timestamp, body)
    return " ".join(f"v1,{_standard(secret, content)}" for secret in secrets)


def _standard(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, content, "sha256")).decode()
