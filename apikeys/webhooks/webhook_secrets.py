"""Signing secrets of webhook endpoints: made, sealed at rest, opened to sign.

The whole text is the key of `Service-Signature`; the bytes that its base64 stands for are the key
of `webhook-signature` (Standard Webhooks). It is shown when it is made and never again.
"""

import base64
import secrets

from console.core import vault

PREFIX = "whsec_"
_BYTES = 36


def make() -> str:
    """Return a new secret: `whsec_` and 48 letters of base64, which stand for 36 random bytes."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def seal(secret: str, endpoint_id: str) -> bytes:
    """Return a secret sealed for one endpoint (`whe_...`): no other row can hold it."""
    return vault.seal(secret.encode(), _purpose(endpoint_id))


def open_(sealed: bytes, endpoint_id: str) -> str:
    """Return the secret that was sealed for that endpoint, or raise VaultBroken."""
    return vault.open_(sealed, _purpose(endpoint_id)).decode()


def _purpose(endpoint_id: str) -> str:
    return f"webhook secret of {endpoint_id}"
