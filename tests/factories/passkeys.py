"""A software authenticator for passkeys, which can also misbehave."""

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from webauthn.helpers import bytes_to_base64url

from console.accounts import passkeys
from console.accounts.models import Passkey, User

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class SoftKey:
    """One credential. Each answer may be for another origin, relying party, user or counter."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.count = 0
        self.user = ""

    @staticmethod
    def handle(person: User) -> str:
        """Return how an answer names this user."""
        return bytes_to_base64url(person.public_id.encode())

    def made(
        self,
        options: Any,
        *,
        origin: str = "",
        flags: int = PRESENT | VERIFIED,
        public: Any = None,
        statement: Any = None,
    ) -> str:
        """Return the answer to the options for a new passkey.

        It may have another public key (COSE), or the statement of a TPM.
        """
        options = json.loads(options)
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        ours = {1: 2, 3: -7, -1: 1, -2: x, -3: y}
        public_key = cbor2.dumps(ours if public is None else public)
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public_key
        data = _data(options["rp"]["id"], flags | ATTESTED, self.count) + attested
        kind = "none" if statement is None else "tpm"
        attestation = cbor2.dumps({"fmt": kind, "attStmt": statement or {}, "authData": data})
        client = _client_data("webauthn.create", options["challenge"], origin)
        return self._answer({"clientDataJSON": client, "attestationObject": attestation})

    def used(
        self,
        options: Any,
        *,
        origin: str = "",
        relying_party: str = "localhost",
        flags: int = PRESENT | VERIFIED,
        count: int | None = None,
    ) -> str:
        """Return the answer to the options for using a passkey."""
        self.count = self.count + 1 if count is None else count
        data = _data(relying_party, flags, self.count)
        client = _client_data("webauthn.get", json.loads(options)["challenge"], origin)
        signed = data + hashlib.sha256(client).digest()
        parts: dict[str, Any] = {
            "clientDataJSON": client,
            "authenticatorData": data,
            "signature": self.key.sign(signed, ec.ECDSA(hashes.SHA256())),
        }
        return self._answer(parts, userHandle=self.user)

    def _answer(self, parts: dict[str, bytes], **more: str) -> str:
        response = {name: bytes_to_base64url(value) for name, value in parts.items()} | more
        name = bytes_to_base64url(self.id)
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})


def a_passkey(person: User, *, key: SoftKey | None = None, name: str = "Laptop") -> Passkey:
    """Give the person a passkey, made by a software authenticator."""
    challenge = secrets.token_bytes(32)
    made = (key or SoftKey()).made(passkeys.creation_options(person, challenge))
    return passkeys.add(person, made, challenge, name=name, by=person)[0]


def _data(relying_party: str, flags: int, count: int) -> bytes:
    hashed = hashlib.sha256(relying_party.encode()).digest()
    return hashed + bytes([flags]) + count.to_bytes(4, "big")


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    said = {"type": kind, "challenge": challenge, "origin": origin or settings.BASE_URL}
    return json.dumps(said).encode()
