"""X.509 certificates that we make: a root with its seal, and simulated time stamps.

This module reads no settings, files or clock.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

ROOT_LIFE = timedelta(days=3652)
SEAL_LIFE = timedelta(days=730)
DOCUMENT_SIGNING = x509.ObjectIdentifier("1.3.6.1.5.5.7.3.36")
DEVELOPMENT_ROOT = "Access Console Development Root"
_LONGEST = 64  # longest name in a certificate (RFC 5280, A.1)
SIMULATED = "Simulated, not evidence"


class DeviceUnavailable(OSError):
    """The device with the key cannot sign now: it is away, or the PIN or a label is wrong."""


class HardwareKey(Protocol):
    """An EC key in a device, which signs and never leaves it."""

    def sign(self, data: bytes) -> bytes:
        """Return an ECDSA signature over the SHA-256 of the data, as DER."""


@dataclass(frozen=True)
class Seal:
    """A key with its certificate, intermediate certificates and root."""

    key: ec.EllipticCurvePrivateKey | HardwareKey
    certificate: x509.Certificate
    issuers: tuple[x509.Certificate, ...]
    root: x509.Certificate

    def sign(self, data: bytes) -> bytes:
        """Return a detached signature, deterministic unless the key is in a device."""
        if isinstance(self.key, ec.EllipticCurvePrivateKey):
            return self.key.sign(data, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        return self.key.sign(data)

    @property
    def chain_pem(self) -> bytes:
        """The certificate and its intermediates as one PEM file."""
        return b"".join(pem(one) for one in (self.certificate, *self.issuers))


@dataclass(frozen=True)
class TimeStamper:
    """The key and certificate of a time-stamping authority."""

    key: rsa.RSAPrivateKey
    certificate: x509.Certificate


def make_seal(
    owner: str, at: datetime, *, root_name: str = DEVELOPMENT_ROOT, life: timedelta = SEAL_LIFE
) -> Seal:
    """Make a root and a seal under it. The root's key is discarded."""
    root_key = ec.generate_private_key(ec.SECP256R1())
    root_subject = _name(owner, root_name)
    root = (
        _builder(root_subject, root_subject, at, ROOT_LIFE)
        .public_key(root_key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(issuing=True), critical=True)
        .add_extension(
            x509.SubjectKeyIdentifier.from_public_key(root_key.public_key()), critical=False
        )
        .sign(root_key, hashes.SHA256())
    )
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        _builder(_name(owner, "Agreements seal"), root_subject, at, life)
        .public_key(key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(issuing=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([DOCUMENT_SIGNING]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()),
            critical=False,
        )
        .sign(root_key, hashes.SHA256())
    )
    return Seal(key, certificate, (), root)


def make_simulated_time_stamper(at: datetime) -> TimeStamper:
    """Make a time-stamping authority whose name says that it is only simulated."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = _name(SIMULATED, "SIMULATED time stamps")
    certificate = (
        _builder(name, name, at, ROOT_LIFE)
        .public_key(key.public_key())
        .add_extension(_usage(issuing=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        .sign(key, hashes.SHA256())
    )
    return TimeStamper(key, certificate)


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of the certificate in lower-case hex."""
    return certificate.fingerprint(hashes.SHA256()).hex()


def organisation(certificate: x509.Certificate) -> str:
    """Return the owner's name from a certificate."""
    found = certificate.subject.get_attributes_for_oid(NameOID.ORGANIZATION_NAME)
    return str(found[0].value) if found else ""


def is_of(certificate: x509.Certificate, owner: str) -> bool:
    """Tell whether a certificate was made for that owner."""
    return organisation(certificate) == owner[:_LONGEST]


def pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def der(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.DER)


def is_signed(data: bytes, signature: bytes, certificate: x509.Certificate) -> bool:
    """Tell whether the certificate's key signed these bytes (ECDSA over SHA-256)."""
    key = certificate.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        return False
    try:
        key.verify(signature, data, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def key_bytes(
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, encoding: serialization.Encoding
) -> bytes:
    """Return the key as PKCS#8 without a password."""
    plain = serialization.NoEncryption()
    return key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)


def _builder(
    subject: x509.Name, issuer: x509.Name, at: datetime, life: timedelta
) -> x509.CertificateBuilder:
    # Start a little earlier, so that machines with slow clocks accept it.
    start = at.replace(microsecond=0) - timedelta(minutes=5)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + life)
    )


def _name(organisation: str, common: str) -> x509.Name:
    parts = {NameOID.ORGANIZATION_NAME: organisation, NameOID.COMMON_NAME: common}
    return x509.Name([x509.NameAttribute(oid, value[:_LONGEST]) for oid, value in parts.items()])


def _usage(*, issuing: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not issuing,
        content_commitment=not issuing,
        key_cert_sign=issuing,
        crl_sign=issuing,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
