"""Encryption of secrets at rest: AES-256-GCM, with a key id and bound to a purpose."""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

_NONCE = 12


class VaultBroken(Exception):
    """A sealed value cannot be opened: wrong key, wrong purpose, or altered."""


def seal(plain: bytes, purpose: str) -> bytes:
    """Return `key id | nonce | ciphertext`, sealed for one purpose with the newest key."""
    key_id, key = next(iter(settings.VAULT_KEYS.items()))
    nonce = secrets.token_bytes(_NONCE)
    return bytes([key_id]) + nonce + AESGCM(key).encrypt(nonce, plain, purpose.encode())


def open_(sealed: bytes, purpose: str) -> bytes:
    """Return the plaintext of a value sealed for that purpose, or raise VaultBroken."""
    sealed = bytes(sealed)
    try:
        key, nonce = settings.VAULT_KEYS[sealed[0]], sealed[1 : 1 + _NONCE]
        return AESGCM(key).decrypt(nonce, sealed[1 + _NONCE :], purpose.encode())
    except (KeyError, IndexError, ValueError, InvalidTag) as broken:
        raise VaultBroken(f"A value sealed for {purpose} cannot be opened.") from broken
