"""Our current seal and the trusted roots, from settings or from PKI_DIR.

    set_up(owner)  make a seal if this machine may; safe to repeat; called by `seals.set_up`
    seal()         the current seal, or SealMissing with instructions for the operator
    certificate()  its certificate, without a login to the device
    roots()        all roots whose seals are ours, including past ones
    make(folder)   the files that the settings of an installation name

SEAL_CERT_FILE, SEAL_ROOT_FILE and either SEAL_KEY_FILE or SEAL_PKCS11 name the seal;
SEAL_ROOT_FILE may contain former roots after the current one. With SELF_MADE_SEAL, as `make run`
sets it, a development root is made in PKI_DIR instead. Its key signs one seal certificate and is
then discarded, so that nobody can issue a second one. A renewal makes a new root, trusted in
addition to the former. Several hosts must share one seal, so without SELF_MADE_SEAL none makes its
own.
"""

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
from agreements.pki.certificates import HardwareKey, Seal
from console.core import clock

# Stop using a seal this long before it expires.
SPARE = timedelta(days=30)
KEY, CERTIFICATE, ROOT = "seal.key", "seal.pem", "root.pem"


NONE = "The settings name no seal. Set SEAL_KEY_FILE or SEAL_PKCS11; see docs/operations.md."


class SealMissing(Exception):
    """Raised when there is no usable seal; the message says what to do."""


def is_named() -> bool:
    """Tell whether the settings name a seal."""
    return bool(settings.SEAL_KEY_FILE or settings.SEAL_CERT_FILE or settings.SEAL_PKCS11)


def set_up(owner: str) -> bool:
    """Make a seal if it is missing, expiring or another owner's; tell whether one was made."""
    if settings.SELF_MADE_SEAL:
        revocation.set_up(Path(settings.PKI_DIR))
    if is_named() or not settings.SELF_MADE_SEAL:
        seal()
        return False
    if _folders() and _is_good(seal(), owner):
        return False
    made = certificates.make_seal(owner, clock.now())
    _write(made, Path(settings.PKI_DIR))
    return True


def make(folder: Path, owner: str) -> Seal:
    """Make a seal in a new folder, and an empty list unless settings name one."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    revocation.set_up(folder)
    made = certificates.make_seal(owner, clock.now())
    _write_files(made, folder)
    return made


def seal() -> Seal:
    """Return the current seal. Raises SealMissing."""
    if is_named():
        key = settings.SEAL_PKCS11 or settings.SEAL_KEY_FILE
        files = (key, settings.SEAL_CERT_FILE, settings.SEAL_ROOT_FILE)
        if not all(files):
            raise SealMissing("Set SEAL_KEY_FILE, SEAL_CERT_FILE and SEAL_ROOT_FILE together.")
        return _load(*files)
    if not settings.SELF_MADE_SEAL:
        raise SealMissing(NONE)
    try:
        newest = _folders()[-1:]
    except OSError as broken:
        raise SealMissing(f"The seal's files cannot be read: {broken}") from broken
    if not newest:
        raise SealMissing("There is no seal yet. Run `access-console setup_seal`.")
    return _load(*(str(newest[0] / name) for name in (KEY, CERTIFICATE, ROOT)))


def certificate() -> x509.Certificate:
    """Return the current seal's certificate, without using its key. Raises SealMissing."""
    if not is_named():
        return seal().certificate
    try:
        return read_certificates(settings.SEAL_CERT_FILE)[0]
    except (OSError, ValueError) as broken:
        raise SealMissing(f"The seal's certificate cannot be read: {broken}") from broken


def roots() -> tuple[x509.Certificate, ...]:
    """Return the trusted roots. Those in settings replace the development roots."""
    if settings.SEAL_ROOT_FILE:
        return read_certificates(settings.SEAL_ROOT_FILE)
    return tuple(read_certificates(folder / ROOT)[0] for folder in _folders())


def unusable(seal: Seal) -> str:
    """Say why the seal must not be used now, or return ""."""
    return _worn_out(seal) or ("" if revocation.current().checked else revocation.UNREADABLE)


def _worn_out(seal: Seal) -> str:
    """Say why the seal must be replaced, or return ""."""
    if seal.certificate.not_valid_after_utc - clock.now() < SPARE:
        return "The seal's certificate is about to lapse. Put a new one in place."
    if certificates.fingerprint(seal.certificate) in revocation.current().withdrawn:
        return "The seal was withdrawn. Put a new one in place."
    return ""


def _is_good(seal: Seal, owner: str) -> bool:
    return not _worn_out(seal) and certificates.is_of(seal.certificate, owner)


def read_certificates(file: str | Path) -> tuple[x509.Certificate, ...]:
    return tuple(x509.load_pem_x509_certificates(Path(file).read_bytes()))


# Files: one folder for each seal made here, named by time of creation.


def _folders() -> list[Path]:
    home = Path(settings.PKI_DIR)
    # Do not use `glob`: it skips unreadable folders, and an older seal would be used instead.
    found = home.iterdir() if home.is_dir() else ()
    return sorted(path for path in found if path.name[0].isdigit())


def _write(made: Seal, home: Path) -> None:
    """Write the seal to a temporary folder and rename it, so that it is never incomplete."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(dir=home, prefix=".new-"))
    _write_files(made, unfinished)
    unfinished.rename(home / f"{clock.now():%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}")


def _write_files(made: Seal, folder: Path) -> None:
    assert isinstance(made.key, ec.EllipticCurvePrivateKey)
    files = {
        KEY: certificates.key_bytes(made.key, serialization.Encoding.PEM),
        CERTIFICATE: made.chain_pem,
        ROOT: certificates.pem(made.root),
    }
    for name, data in files.items():
        revocation.write_private(folder / name, data)


@lru_cache(maxsize=8)
def _load(named_key: str, certificate_file: str, root_file: str) -> Seal:
    try:
        certificate, *issuers = read_certificates(certificate_file)
        root = read_certificates(root_file)[0]
        key = _key(named_key)
    except (OSError, ValueError, TypeError) as broken:
        raise SealMissing(f"The seal's files cannot be read: {broken}") from broken
    # docs/evidence.md specifies this curve, and other checkers rely on it.
    if not isinstance(getattr(certificate.public_key(), "curve", None), ec.SECP256R1):
        raise SealMissing("The seal's key must be an EC key on the curve P-256.")
    made = Seal(key, certificate, tuple(issuers), root)
    trial = secrets.token_bytes(16)
    if not certificates.is_signed(trial, made.sign(trial), certificate):
        raise SealMissing("The seal's key and certificate do not belong together.")
    return made


def _key(named: str) -> ec.EllipticCurvePrivateKey | HardwareKey:
    """Return the key in that file, or in that device if it is `module;token;label`."""
    if named == settings.SEAL_PKCS11:
        from agreements.pki.hardware_keys import DeviceKey  # its library is not needed otherwise

        return DeviceKey.of(named, settings.SEAL_PKCS11_PIN)
    key = serialization.load_pem_private_key(Path(named).read_bytes(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SealMissing("The seal's key must be an EC key without a password.")
    return key
