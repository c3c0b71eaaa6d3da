"""Make a seal and withdraw one: what the machine's operator does, written in the audit log.

The files are written last in each transaction: when that fails, the log says nothing of it.
"""

from dataclasses import dataclass
from datetime import datetime

from cryptography import x509
from django.conf import settings
from django.db import transaction

from agreements.our_company import company_versions
from agreements.pki import certificates, revocation, seal_keys
from console.accounts.actors import Actor
from console.audit import history
from console.audit import log as audit
from console.core import clock


@dataclass
class SealCertificate:
    """A seal as the log names it: by the SHA-256 of its certificate."""

    public_id: str


@transaction.atomic
def set_up(*, because: str, by: Actor) -> bool:
    """Make a seal where one is missing or about to lapse; return whether one was made.

    It is made in the name of our company, as its details in use say; without them it is refused. A
    seal that the log does not know yet, such as one of settings, is written down as found.
    """
    owner = "" if settings.SEAL_KEY_FILE else company_versions.supplier()["legal_name"]
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
def withdraw(
    certificate_sha256: str, *, since: datetime, because: str, by: Actor
) -> SealCertificate:
    """Put a seal on the list of those that are not to be relied on, from a moment on."""
    seal = SealCertificate(certificate_sha256)
    audit.record("seal.withdrawn", seal, by=by, after={"since": clock.iso(since)}, because=because)
    revocation.withdraw(certificate_sha256, since, because)
    return seal


def _is_known(seal: SealCertificate) -> bool:
    known = history.about([seal.public_id])
    return known.filter(code__in=("seal.made", "seal.found")).exists()


def _until(certificate: x509.Certificate) -> str:
    return clock.iso(certificate.not_valid_after_utc)
