"""The seal's key in a device that speaks PKCS#11, such as a hardware security module."""

import hashlib
from dataclasses import dataclass, field
from threading import Lock

import pkcs11
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from pkcs11.constants import ObjectClass
from pkcs11.exceptions import PKCS11Error
from pkcs11.mechanisms import Mechanism

from agreements.pki.certificates import DeviceUnavailable

# A program logs in to a token once, however many threads it has.
_one_at_a_time = Lock()


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
        parts = [part.strip() for part in setting.split(";")]
        if len(parts) != 3:
            raise ValueError(f"SEAL_PKCS11 says {setting!r}: say module;token label;key label.")
        return cls(*parts, pin)

    def sign(self, data: bytes) -> bytes:
        """Return an ECDSA signature over the SHA-256 of the data, as DER."""
        try:
            with _one_at_a_time:
                found = pkcs11.lib(self.module).get_token(token_label=self.token)
                with found.open(user_pin=self.pin) as session:
                    key = session.get_key(object_class=ObjectClass.PRIVATE_KEY, label=self.label)
                    raw = key.sign(hashlib.sha256(data).digest(), mechanism=Mechanism.ECDSA)
        except (PKCS11Error, RuntimeError) as error:
            reason = str(error) or type(error).__name__
            raise DeviceUnavailable(f"The seal's device does not sign: {reason}") from error
        half = len(raw) // 2
        return encode_dss_signature(*(int.from_bytes(n) for n in (raw[:half], raw[half:])))
