"""Check what a passkey signed for an act, from the act's file alone (docs/evidence.md).

    problems(body) -> sentences; none for an act that was proven otherwise, or before this format

It is what the script in the bundle checks with `openssl`, and uses nothing of WebAuthn libraries.
"""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_public_key

from console.core import digests

PRESENT, VERIFIED = 0x01, 0x04


def problems(body: dict[str, Any]) -> Iterator[str]:
    """Return what is wrong with the proof in the body of an act or decision."""
    method, said = body.get("method", ""), body.get("assertion")
    if (method == "passkey") != (said is not None):
        yield "its method and its proof contradict each other"
    elif said is not None:
        try:
            yield from _problems_of(body, said)
        except (KeyError, TypeError, ValueError, UnsupportedAlgorithm, AttributeError):
            yield "its proof cannot be read"


def _problems_of(body: dict[str, Any], said: dict[str, str]) -> Iterator[str]:
    data, client = (bytes.fromhex(said[name]) for name in ("authenticator_data", "client_data"))
    told = json.loads(client)
    challenge = hashlib.sha256(statement(body)).digest()
    if told["type"] != "webauthn.get" or told["challenge"] != _base64url(challenge):
        yield "the passkey signed something else"
    host = (urlsplit(said["origin"]).hostname or "").encode()
    if told["origin"] != said["origin"] or data[:32] != hashlib.sha256(host).digest():
        yield "the passkey signed for another site"
    if data[32] & (PRESENT | VERIFIED) != PRESENT | VERIFIED:
        yield "the passkey did not verify its user"
    signed = data + hashlib.sha256(client).digest()
    if not _is_signed(bytes.fromhex(said["public_key"]), bytes.fromhex(said["signature"]), signed):
        yield "the passkey's signature is not by the key in the file"


def statement(body: dict[str, Any]) -> bytes:
    """Return what the passkey must have signed, from the act's own members."""
    said = body["assertion"]
    is_decision = "verdict" in body
    acts = {"approved": "approve", "countersigned": "countersign"}
    products = body.get("products")
    return digests.canonical(
        "console.act.v1",
        {
            "act": acts[body["verdict"]] if is_decision else "sign",
            "subject": body["pack"],
            "sha256": body["signed_set_sha256"] if is_decision else body["offer_sha256"],
            "role": body["role"] if is_decision else "",
            "terms_sha256": digests.digest("agr.products.v1", products) if products else "",
            "person": body["person"]["id"],
            "nonce": said["nonce"],
            "origin": said["origin"],
            "asked_at": said["asked_at"],
        },
    )


def _is_signed(der: bytes, signature: bytes, data: bytes) -> bool:
    key = load_der_public_key(der)
    try:
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, data)
        elif isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, data, padding.PKCS1v15(), hashes.SHA256())
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
        else:
            return False
    except InvalidSignature:
        return False
    return True


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
