"""Signed list of withdrawn seals.

    current()                           the current list, for `verdicts.judge`
    public(kind)                        the list, its signature or its certificate, for download
    withdraw(sha256, since, reason)     add a seal to the list; called by `seals.withdraw`
    set_up(folder)                      make the key and an empty list; safe to repeat

The list is SEAL_LIST_FILE (canonical JSON), or `withdrawn.json` in PKI_DIR with SELF_MADE_SEAL. The
file with the same name ending in `.sig` is its signature (ECDSA over SHA-256, with its own key),
checked with the certificate in SEAL_LIST_CERT_FILE. The key, in the file ending in `.key`, need not
be on hosts that only read the list. A list with an invalid signature is reported and ignored, so
that replacing the file cannot change a verdict. Without a valid list, no seal can be judged.
Executed documents are never sealed again.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from agreements.pki import certificates
from console.core import clock, digests

DOMAIN = "agr.withdrawn-seals.v1"
LIST, CERTIFICATE, KEY = "withdrawn.json", "withdrawn.pem", "withdrawn.key"
UNREADABLE = (
    "The list of withdrawn seals cannot be read, or is not rightly signed. Until it is restored "
    "from a backup, nothing is sealed, and the public page answers “We cannot tell” about every "
    "executed file."
)


@dataclass(frozen=True)
class WithdrawnSeal:
    """A seal that must not be relied on from a given time."""

    since: datetime
    reason: str


@dataclass(frozen=True)
class RevocationList:
    """Withdrawn seals by the SHA-256 of their certificate.

    `checked` is False if the list could not be read or its signature is invalid. The entries are
    then ignored, and no seal can be judged.
    """

    checked: bool = False
    withdrawn: Mapping[str, WithdrawnSeal] = field(default_factory=dict)


class ListBroken(Exception):
    """Raised when the list is missing or its signature is invalid, so it cannot be extended."""


def current() -> RevocationList:
    """Return the list, or an unchecked one if it cannot be verified."""
    list_file, certificate_file = _files()
    try:
        data = list_file.read_bytes()
        signature = list_file.with_suffix(".sig").read_bytes()
        certificate = x509.load_pem_x509_certificate(certificate_file.read_bytes())
        if not certificates.is_signed(data, signature, certificate):
            return RevocationList()
        rows = digests.parse(data)["seals"]
        withdrawn = {row["certificate_sha256"]: _read(row) for row in rows}
    except (OSError, ValueError, LookupError, TypeError):
        return RevocationList()
    return RevocationList(checked=True, withdrawn=withdrawn)


def public(kind: str) -> bytes:
    """Return the list (`json`), its signature (`sig`) or signer's certificate (`pem`), or b""."""
    list_file, certificate_file = _files()
    file = certificate_file if kind == "pem" else list_file.with_suffix(f".{kind}")
    try:
        return file.read_bytes()
    except OSError:
        return b""


def set_up(home: Path) -> None:
    """Make a list key and an empty list in a folder, unless settings name one.

    Only if neither exists yet: replacing a lost list with an empty one would make withdrawn seals
    valid again.
    """
    if settings.SEAL_LIST_FILE or (home.is_dir() and any(home.iterdir())):
        return
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = certificates.make_seal("Withdrawn seals", clock.now(), root_name="List of withdrawn")
    assert isinstance(made.key, ec.EllipticCurvePrivateKey)
    write_private(home / CERTIFICATE, certificates.pem(made.certificate))
    write_private(home / KEY, certificates.key_bytes(made.key, serialization.Encoding.PEM))
    _publish(home / LIST, {})


def withdraw(certificate_sha256: str, since: datetime, reason: str) -> None:
    """Add a seal to the list; from `since`, the last time it was surely safe, it proves nothing."""
    list_file, _ = _files()
    known = current()
    if not known.checked:
        raise ListBroken("The list of withdrawn seals is missing, or not rightly signed.")
    if not list_file.with_suffix(".key").exists():
        raise ListBroken(f"The key of the list is not here: {list_file.with_suffix('.key')}.")
    _publish(list_file, {**known.withdrawn, certificate_sha256: WithdrawnSeal(since, reason)})


def _publish(list_file: Path, withdrawn: dict[str, WithdrawnSeal]) -> None:
    key_file = list_file.with_suffix(".key")
    key = serialization.load_pem_private_key(key_file.read_bytes(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    rows = [
        {"certificate_sha256": sha256, "since": clock.iso(one.since), "reason": one.reason}
        for sha256, one in sorted(withdrawn.items())
    ]
    data = digests.canonical(DOMAIN, {"issued_at": clock.iso(clock.now()), "seals": rows})
    # Write the signature first: in between, the list fails its check and is never wrongly trusted.
    write_private(list_file.with_suffix(".sig"), key.sign(data, ec.ECDSA(hashes.SHA256())))
    write_private(list_file, data)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, at once and durably."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(unfinished, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _read(row: dict[str, str]) -> WithdrawnSeal:
    return WithdrawnSeal(datetime.fromisoformat(row["since"]), row["reason"])


def _files() -> tuple[Path, Path]:
    if settings.SEAL_LIST_FILE:
        return Path(settings.SEAL_LIST_FILE), Path(settings.SEAL_LIST_CERT_FILE)
    return Path(settings.PKI_DIR) / LIST, Path(settings.PKI_DIR) / CERTIFICATE
