"""Signing secrets of webhook endpoints: created, encrypted at rest, decrypted to sign.

The whole text is the key of `Service-Signature`; the bytes its base64 part decodes to are the key
of `webhook-signature` (Standard Webhooks). A secret is shown only when it is created.
"""

import base64
import secrets

from console.core import vault

PREFIX = "whsec_"
_BYTES = 36


def make() -> str:
    """Return a new secret: `whsec_` and 48 base64 characters, which encode 36 random bytes."""
    return PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def seal(secret: str, endpoint_id: str) -> bytes:
    """Return a secret encrypted for one endpoint (`whe_...`); it cannot be used in another row."""
    return vault.seal(secret.encode(), _purpose(endpoint_id))


def open_(sealed: bytes, endpoint_id: str) -> str:
    """Return the secret encrypted for that endpoint, or raise VaultBroken."""
    return vault.open_(sealed, _purpose(endpoint_id)).decode()


def _purpose(endpoint_id: str) -> str:
    return f"webhook secret of {endpoint_id}"
