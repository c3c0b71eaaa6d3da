"""Remove the bytes of evidence files, and of those that are no longer needed."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q

from console.accounts.actors import SYSTEM, Actor
from console.audit import log as audit
from console.backups.named_files import NamedFile
from console.core import blobs, clock
from onboarding.evidence.models import EvidenceFile, EvidenceFileQuerySet, RemovalCause
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application

# Without a contract there is no reason to keep copies of passports. 90 days leave time for a
# complaint, and for a new application that refers to the old one. Files of executed applications
# are records of a business relationship, which the law requires.
KEEP_DAYS = 90
ENDED = (ApplicationStatus.DECLINED, ApplicationStatus.WITHDRAWN, ApplicationStatus.EXPIRED)
_AT_ONCE = 500


def outlived() -> EvidenceFileQuerySet:
    """Return the files of applications that ended without a contract KEEP_DAYS ago."""
    ended = clock.now() - timedelta(days=KEEP_DAYS)
    rows = EvidenceFile.objects.stored().filter(
        application__status__in=ENDED, application__touched_at__lt=ended
    )
    return rows.select_related("application__business").order_by("pk")


def remove_outlived() -> None:
    """Remove files that are no longer needed, and finish removals that stopped. Scheduled."""
    for file in outlived()[:_AT_ONCE]:
        remove(file, by=SYSTEM)
    stopped = EvidenceFile.objects.exclude(removed_at=None).filter(erased_at=None)
    for file in stopped.select_related("application")[:_AT_ONCE]:
        _erase(file)


@transaction.atomic
def remove(file: EvidenceFile, *, by: Actor) -> None:
    """Remove a file that is no longer needed. Idempotent; its row stays, with its hash."""
    file = EvidenceFile.objects.locked(file)
    if outlived().contains(file):
        file.remove(RemovalCause.OUTLIVED)
        audit.record("evidence_file.outlived", file, by=by, sha256=file.sha256)
        erase_on_commit(file)


def stored_files() -> Iterator[NamedFile]:
    """Return every stored file, with its folder."""
    rows = EvidenceFile.objects.stored().select_related("application").order_by("pk")
    for file in rows.iterator():
        for sha256 in filter(None, (file.sha256, file.preview_sha256)):
            yield NamedFile(sha256, folder_of(file.application), f"The evidence {file.public_id}")


def erase_on_commit(file: EvidenceFile) -> None:
    """Delete the bytes of a removed file after commit; the nightly job deletes what is left."""
    transaction.on_commit(partial(_erase, file), robust=True)


def folder_of(application: Application) -> str:
    """Return the folder of an application's files: no other file in it can have the same hash."""
    return f"evidence/{application.public_id}"


@transaction.atomic
def _erase(file: EvidenceFile) -> None:
    """Delete the bytes, unless the business has uploaded the same file again. Idempotent."""
    file = EvidenceFile.objects.locked(file)
    folder, others = folder_of(file.application), EvidenceFile.objects.of(file.application).stored()
    for sha256 in filter(None, (file.sha256, file.preview_sha256)):
        if not others.filter(Q(sha256=sha256) | Q(preview_sha256=sha256)).exists():
            blobs.delete(sha256, folder)
    file.erased_at = clock.now()
    file.save(update_fields=["erased_at"])
