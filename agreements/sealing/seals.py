"""Make and withdraw seals, with an audit log entry for each.

Each transaction writes the files last, so that a failure leaves no audit entry.
"""

from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from django.db import transaction

from agreements.our_company import company_versions
from agreements.pki import certificates, revocation, seal_keys
from console.accounts.actors import Actor
from console.audit import history
from console.audit import log as audit
from console.core import clock


@dataclass
class SealCertificate:
    """A seal as the audit log identifies it: by the SHA-256 of its certificate."""

    public_id: str


@transaction.atomic
def set_up(*, because: str, by: Actor) -> bool:
    """Make a seal if none exists or it is about to expire; return whether one was made.

    It is made in the name of our company, from the details in use, which must exist. A seal that
    the log does not know yet, such as one from settings, is recorded as found.
    """
    owner = "" if seal_keys.is_named() else company_versions.supplier()["legal_name"]
    made = seal_keys.set_up(owner)
    certificate = seal_keys.seal().certificate
    seal = SealCertificate(certificates.fingerprint(certificate))
    if made or not _is_known(seal):
        audit.record(
            "seal.made" if made else "seal.found", seal, by=by,
            after={
                "root": certificates.fingerprint(seal_keys.seal().root),
                "until": _until(certificate),
            },
            because=because,
        )  # fmt: skip
    return made


@transaction.atomic
def withdraw(certificate_sha256: str, *, since: datetime, because: str, by: Actor) -> None:
    """Add a seal to the list of those that must not be relied on from a given time."""
    seal = SealCertificate(certificate_sha256)
    audit.record("seal.withdrawn", seal, by=by, after={"since": clock.iso(since)}, because=because)
    revocation.withdraw(certificate_sha256, since, because)


def _is_known(seal: SealCertificate) -> bool:
    known = history.about([seal.public_id])
    return known.filter(code__in=("seal.made", "seal.found")).exists()


def _until(certificate: x509.Certificate) -> str:
    return clock.iso(certificate.not_valid_after_utc)
