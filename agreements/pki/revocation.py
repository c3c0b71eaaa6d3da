"""The list of seals that are not to be relied on, and its signature by a key of its own.

    current()                           what the list says, for `verdicts.judge`
    public(kind)                        the list, its signature or its certificate, for everybody
    withdraw(sha256, since, reason)     put a seal on the list; called by `seals.withdraw`
    set_up()                            make the key and an empty list; safe to repeat

The list is `withdrawn.json` (canonical JSON) beside `withdrawn.sig` (ECDSA over SHA-256) in
PKI_DIR, or SEAL_LIST_FILE beside the same name ending in `.sig`, checked with the certificate in
SEAL_LIST_CERT_FILE. A list whose signature is not good is reported and never obeyed: whoever can
replace it must not be able to make good documents look bad, nor bad ones good. Without the list
nobody can tell. Executed documents are never sealed again.
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
    """A seal that is not to be relied on from a moment on."""

    since: datetime
    reason: str


@dataclass(frozen=True)
class RevocationList:
    """Which seals are withdrawn, by the SHA-256 of their certificate.

    `checked` says whether that list was read and is ours; one that is not is never obeyed, and
    without it nobody can tell what a seal is worth.
    """

    checked: bool = False
    withdrawn: Mapping[str, WithdrawnSeal] = field(default_factory=dict)


class ListBroken(Exception):
    """The list cannot be added to: it is missing, or its signature is not good."""


def current() -> RevocationList:
    """Return the list, or one that says it was not checked."""
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
    """Return the list (`json`), its signature (`sig`) or who signs it (`pem`); empty without it."""
    list_file, certificate_file = _files()
    file = certificate_file if kind == "pem" else list_file.with_suffix(f".{kind}")
    try:
        return file.read_bytes()
    except OSError:
        return b""


def set_up() -> None:
    """Make a key for the list and an empty list, where settings name none.

    Only on a machine that has nothing yet: a list that was lost is not replaced by an empty one,
    or what was withdrawn would be good again.
    """
    home = Path(settings.PKI_DIR)
    if settings.SEAL_LIST_FILE or (home.is_dir() and any(home.iterdir())):
        return
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = certificates.make_seal("Withdrawn seals", clock.now(), root_name="List of withdrawn")
    _write(home / CERTIFICATE, certificates.pem(made.certificate))
    _write(home / KEY, certificates.key_bytes(made.key, serialization.Encoding.PEM))
    _publish({})


def withdraw(certificate_sha256: str, since: datetime, reason: str) -> None:
    """Put a seal on the list: from `since`, the last moment surely good, it proves nothing."""
    known = current()
    if not known.checked or settings.SEAL_LIST_FILE:
        raise ListBroken("The list of this machine is missing, or settings name another.")
    _publish({**known.withdrawn, certificate_sha256: WithdrawnSeal(since, reason)})


def _publish(withdrawn: dict[str, WithdrawnSeal]) -> None:
    home = Path(settings.PKI_DIR)
    key = serialization.load_pem_private_key((home / KEY).read_bytes(), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    rows = [
        {"certificate_sha256": sha256, "since": clock.iso(one.since), "reason": one.reason}
        for sha256, one in sorted(withdrawn.items())
    ]
    data = digests.canonical(DOMAIN, {"issued_at": clock.iso(clock.now()), "seals": rows})
    # The signature first: between the two the list is unchecked, never wrongly believed.
    _write((home / LIST).with_suffix(".sig"), key.sign(data, ec.ECDSA(hashes.SHA256())))
    _write(home / LIST, data)


def _write(path: Path, data: bytes) -> None:
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
