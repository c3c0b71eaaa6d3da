"""Sign deliveries: our own header, and those of Standard Webhooks from the same secret."""

import base64
import hmac
from collections.abc import Sequence

from apikeys.webhooks.webhook_secrets import PREFIX

HEADER = "Service-Signature"


def hex_signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return `v1`: the hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole secret as text."""
    # A single C call, which costs half as much as an HMAC object.
    return hmac.digest(secret.encode(), b"%d.%b" % (timestamp, body), "sha256").hex()


def service_signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of `Service-Signature` (specification, section 6)."""
    return f"t={timestamp},v1={hex_signature(secret, timestamp, body)}"


def standard_signature(secrets: Sequence[str], event_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: one signature per valid secret, newest first.

    Keyed with the bytes that the base64 text after `whsec_` decodes to (Standard Webhooks).
    """
    content = b"%b.%d.%b" % (event_id.encode(), timestamp, body)
    return " ".join(f"v1,{_standard(secret, content)}" for secret in secrets)


def _standard(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, content, "sha256")).decode()
