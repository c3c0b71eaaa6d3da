"""Scan the files that were uploaded while the virus scanner was down, or before there was one."""

import logging

from django.conf import settings
from django.db import transaction

from console.accounts.actors import SYSTEM
from console.audit import log as audit
from console.core import blobs, clock
from onboarding.evidence import removal, scanner
from onboarding.evidence.models import EvidenceFile, RemovalCause

_MOST = 100
log = logging.getLogger(__name__)


def scan_waiting() -> None:
    """Scan files that wait for it, oldest first. Scheduled."""
    if not settings.CLAMAV:
        return
    waiting = EvidenceFile.objects.stored().filter(scanned_at=None).order_by("pk")
    # Behind those that could not be scanned, others wait.
    for file in waiting.select_related("application")[:_MOST]:
        try:
            virus = scanner.scan(blobs.get(file.sha256, removal.folder_of(file.application)))
        except scanner.ScannerDown:
            return
        except (blobs.BlobDamaged, scanner.NotScanned) as fault:
            log.error("evidence_not_scanned", extra={"file": file.public_id, "why": str(fault)})
            continue
        _note(file, virus)


@transaction.atomic
def _note(file: EvidenceFile, virus: str) -> None:
    file = EvidenceFile.objects.locked(file)
    if file.removed_at or file.scanned_at:
        return
    if virus:
        file.remove(RemovalCause.INFECTED)
        audit.record("evidence_file.infected", file, by=SYSTEM, virus=virus, sha256=file.sha256)
        removal.erase_on_commit(file)
    else:
        file.scanned_at = clock.now()
        file.save(update_fields=["scanned_at"])
        audit.record("evidence_file.scanned", file, by=SYSTEM, sha256=file.sha256)
