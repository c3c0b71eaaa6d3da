"""The seal we work with, and the roots that make a seal ours: from settings, or from PKI_DIR.

    set_up(owner)  make a seal where settings name none; safe to repeat; called by `seals.set_up`
    seal()         what we seal with now, or SealMissing with words for the operator
    roots()        every root whose seals are ours, past ones included

With SEAL_KEY_FILE, SEAL_CERT_FILE and SEAL_ROOT_FILE set, those PEM files are used and nothing
is made; SEAL_ROOT_FILE may hold former roots after the present one. Without them a development
root is made in PKI_DIR. Its key signs one seal certificate and is then forgotten, so that nobody
can ever issue a second one: a renewal is a new root, trusted beside the former.
"""

import os
import secrets
import tempfile
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from agreements.pki import certificates, revocation
from agreements.pki.certificates import Seal
from console.core import clock

# A seal is not used in its last days, so that no document is sealed with one about to lapse.
SPARE = timedelta(days=30)
KEY, CERTIFICATE, ROOT = "seal.key", "seal.pem", "root.pem"


class SealMissing(Exception):
    """There is no seal to work with; the message says what to do."""


def set_up(owner: str) -> bool:
    """Make a seal where it is missing, about to lapse or another's; say whether one was made."""
    revocation.set_up()
    if settings.SEAL_KEY_FILE or settings.SEAL_CERT_FILE:
        seal()
        return False
    if _folders() and _is_good(seal(), owner):
        return False
    made = certificates.make_seal(owner, clock.now())
    _write(made, Path(settings.PKI_DIR))
    return True


def seal() -> Seal:
    """Return what we seal with now."""
    if settings.SEAL_KEY_FILE or settings.SEAL_CERT_FILE:
        files = (settings.SEAL_KEY_FILE, settings.SEAL_CERT_FILE, settings.SEAL_ROOT_FILE)
        if not all(files):
            raise SealMissing("Set SEAL_KEY_FILE, SEAL_CERT_FILE and SEAL_ROOT_FILE together.")
        return _load(*files)
    try:
        newest = _folders()[-1:]
    except OSError as broken:
        raise SealMissing(f"The seal's files cannot be read: {broken}") from broken
    if not newest:
        raise SealMissing("There is no seal yet. Run `access-console setup_seal`.")
    return _load(*(str(newest[0] / name) for name in (KEY, CERTIFICATE, ROOT)))


def roots() -> tuple[x509.Certificate, ...]:
    """Return the roots we trust. Those of settings exclude the development's."""
    if settings.SEAL_ROOT_FILE:
        return read_certificates(settings.SEAL_ROOT_FILE)
    return tuple(read_certificates(folder / ROOT)[0] for folder in _folders())


def unusable(seal: Seal) -> str:
    """Say why nothing may be sealed with it now; empty when it may."""
    return _worn_out(seal) or ("" if revocation.current().checked else revocation.UNREADABLE)


def _worn_out(seal: Seal) -> str:
    """Say why another seal must take its place; empty when none must."""
    if seal.certificate.not_valid_after_utc - clock.now() < SPARE:
        return "The seal's certificate is about to lapse. Put a new one in place."
    if certificates.fingerprint(seal.certificate) in revocation.current().withdrawn:
        return "The seal was withdrawn. Put a new one in place."
    return ""


def _is_good(seal: Seal, owner: str) -> bool:
    return not _worn_out(seal) and certificates.is_of(seal.certificate, owner)


def read_certificates(file: str | Path) -> tuple[x509.Certificate, ...]:
    return tuple(x509.load_pem_x509_certificates(Path(file).read_bytes()))


# Files: one folder for each seal ever made here, so that their names are in order of time ------


def _folders() -> list[Path]:
    home = Path(settings.PKI_DIR)
    # Not `glob`, which leaves out what it may not read: an older seal would take its place.
    found = home.iterdir() if home.is_dir() else ()
    return sorted(path for path in found if path.name[0].isdigit())


def _write(made: Seal, home: Path) -> None:
    """Write a folder that is complete before it has its name."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(dir=home, prefix=".new-"))
    files = {
        KEY: certificates.key_bytes(made.key, serialization.Encoding.PEM),
        CERTIFICATE: made.chain_pem,
        ROOT: certificates.pem(made.root),
    }
    for name, data in files.items():
        with os.fdopen(os.open(unfinished / name, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    unfinished.rename(home / f"{clock.now():%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}")


@lru_cache(maxsize=8)
def _load(key_file: str, certificate_file: str, root_file: str) -> Seal:
    try:
        key = serialization.load_pem_private_key(Path(key_file).read_bytes(), password=None)
        certificate, *issuers = read_certificates(certificate_file)
        root = read_certificates(root_file)[0]
    except (OSError, ValueError, TypeError) as broken:
        raise SealMissing(f"The seal's files cannot be read: {broken}") from broken
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SealMissing("The seal's key must be an EC key without a password.")
    if key.public_key() != certificate.public_key():
        raise SealMissing("The seal's key and certificate do not belong together.")
    return Seal(key, certificate, tuple(issuers), root)
