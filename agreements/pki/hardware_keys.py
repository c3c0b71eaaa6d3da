"""The seal's key in a device that speaks PKCS#11, such as a hardware security module."""

import hashlib
from dataclasses import dataclass, field
from threading import Lock

import pkcs11
from pkcs11.constants import ObjectClass
from pkcs11.exceptions import PinIncorrect, PinLocked
from pkcs11.mechanisms import Mechanism
from pkcs11.types import SignMixin
from pkcs11.util.ec import encode_ecdsa_signature

from agreements.pki.certificates import DeviceUnavailable

# A program logs in to a token once, however many threads it has.
_one_at_a_time = Lock()
# Keys whose PIN the device refused: it locks itself after a few wrong ones.
_refused: "set[DeviceKey]" = set()


@dataclass(frozen=True)
class DeviceKey:
    """An EC key by its label in a token."""

    module: str
    token: str
    label: str
    pin: str = field(repr=False)

    @classmethod
    def of(cls, setting: str, pin: str) -> "DeviceKey":
        """Parse `module;token label;key label`. Raises ValueError."""
        try:
            module, token, label = (part.strip() for part in setting.split(";"))
        except ValueError:
            said = f"SEAL_PKCS11 says {setting!r}: say module;token label;key label."
            raise ValueError(said) from None
        return cls(module, token, label, pin)

    def sign(self, data: bytes) -> bytes:
        """Return an ECDSA signature over the SHA-256 of the data, as DER."""
        try:
            with _one_at_a_time:
                return self._sign(hashlib.sha256(data).digest())
        except RuntimeError as error:  # so are the library's own errors
            reason = str(error) or type(error).__name__
            raise DeviceUnavailable(f"The seal's device does not sign: {reason}") from error

    def _sign(self, digest: bytes) -> bytes:
        if self in _refused:
            raise DeviceUnavailable(
                "The seal's device does not sign: it refused the PIN. Correct SEAL_PKCS11_PIN, and "
                "restart every part."
            )
        try:
            found = pkcs11.lib(self.module).get_token(token_label=self.token)
            with found.open(user_pin=self.pin) as session:
                key = session.get_key(object_class=ObjectClass.PRIVATE_KEY, label=self.label)
                assert isinstance(key, SignMixin)
                return encode_ecdsa_signature(key.sign(digest, mechanism=Mechanism.ECDSA))
        except (PinIncorrect, PinLocked):
            _refused.add(self)
            raise
