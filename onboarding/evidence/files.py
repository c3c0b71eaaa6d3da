"""Add evidence files to an application, withdraw them, look at them, and rest decisions on them."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access, business_access, limits
from console.accounts.actors import Actor
from console.accounts.models import User
from console.accounts.roles import Permission
from console.accounts.throttle import take
from console.audit import log as audit
from console.core import blobs, clock
from console.core.digests import sha256_hex
from console.core.refusals import WrongStatus
from onboarding.evidence import inspection, removal, scanner
from onboarding.evidence.inspection import FileRefused, Inspected
from onboarding.evidence.models import CheckEvidence, EvidenceFile, EvidenceKind, RemovalCause
from onboarding.lifecycle import OPEN, ApplicationStatus
from onboarding.models import Application, CaseAct

# Documents of a large group, several times over.
MOST_FILES = 60


def may_be_added(application: Application) -> bool:
    """Tell whether the business may upload: as long as we may ask about this application."""
    return application.told_status in (*OPEN, ApplicationStatus.EXECUTED)


def add(application: Application, data: bytes, *, name: str, kind: str, by: User) -> EvidenceFile:
    """Inspect and scan a file, and store a copy of what viewers show of it.

    The same file of the same kind again changes nothing.
    """
    access.require(by, Permission.APPLICATION_ANSWER, application.business)
    take("evidence", application.business.public_id, limits.EVIDENCE_PER_BUSINESS)
    inspected = inspection.inspect(data)
    scanned_at = _scanned(data)
    return _keep(application, inspected, name=name, kind=kind, scanned_at=scanned_at, by=by)


@transaction.atomic
def withdraw(file: EvidenceFile, *, by: User) -> EvidenceFile:
    """Remove a file that the business has not submitted yet. Idempotent."""
    file = EvidenceFile.objects.locked(file)
    access.require(by, Permission.APPLICATION_ANSWER, file.business)
    if file.removed_at is not None:
        return file
    if not file.may_be_withdrawn():
        raise WrongStatus(_("Our reviewers already have this file, so you cannot remove it."))
    file.remove(RemovalCause.WITHDRAWN)
    audit.record("evidence_file.withdrawn", file, by=by, sha256=file.sha256)
    removal.erase_on_commit(file)
    return file


def look(file: EvidenceFile, *, by: User) -> bytes:
    """Return what a reviewer sees in the viewer, a picture or a PDF, and log who looked."""
    return _read(file, file.preview_sha256 or file.sha256, "evidence_file.viewed", by=by)


def download(file: EvidenceFile, *, by: User) -> bytes:
    """Return the file as we keep it, and log who downloaded it."""
    return _read(file, file.sha256, "evidence_file.downloaded", by=by)


@transaction.atomic
def rely_on(act: CaseAct, files: Iterable[EvidenceFile], *, by: Actor) -> None:
    """Record the files on which a reviewer's decision rests, with their hashes."""
    about = act.decided_check or act.reviewer.application
    for file in files:
        CheckEvidence.objects.create(act=act, file=file, sha256=file.sha256)
        audit.record(
            "evidence_file.relied_on", file, by=by, about=about.public_id, sha256=file.sha256
        )


def _read(file: EvidenceFile, sha256: str, code: str, *, by: User) -> bytes:
    access.require(by, Permission.EVIDENCE_VIEW)
    if file.awaits_scan:
        raise WrongStatus(_("The virus scanner has not checked this file yet. Try again later."))
    if file.removed_at:
        raise WrongStatus(_("This file was removed."))
    data = blobs.get(sha256, removal.folder_of(file.application))
    with transaction.atomic():
        audit.record(code, file, by=by, sha256=file.sha256)
    return data


def _scanned(data: bytes) -> datetime | None:
    """Return when the scanner found nothing; None without a scanner, or while it is down."""
    if not settings.CLAMAV:
        return None
    try:
        virus = scanner.scan(data)
    except (scanner.ScannerDown, scanner.NotScanned):
        return None
    if virus:
        raise FileRefused(_("Our virus scanner found a virus in this file. It was not saved."))
    return clock.now()


@transaction.atomic
def _keep(
    application: Application,
    inspected: Inspected,
    *,
    name: str,
    kind: str,
    scanned_at: datetime | None,
    by: User,
) -> EvidenceFile:
    application = Application.objects.locked(application)
    access.require(by, Permission.APPLICATION_ANSWER, application.business)
    business_access.require(application.business)
    if not may_be_added(application):
        raise WrongStatus(_("This application is closed, so we need no more files."))
    stored = EvidenceFile.objects.of(application).stored()
    if same := stored.filter(kind=kind, sha256=sha256_hex(inspected.kept)).first():
        return same
    if stored.count() >= MOST_FILES:
        raise FileRefused(
            _("This application already has %(most)s files. Write to us to send more.")
            % {"most": MOST_FILES}
        )
    folder = removal.folder_of(application)
    file = EvidenceFile.objects.create(
        application=application,
        kind=EvidenceKind(kind),
        name=name,
        media_type=inspected.media_type,
        size=len(inspected.kept),
        pages=inspected.pages,
        sha256=blobs.put(inspected.kept, folder),
        preview_sha256=blobs.put(inspected.preview, folder) if inspected.preview else "",
        uploaded_by=by,
        uploaded_at=clock.now(),
        scanned_at=scanned_at,
    )
    application.touched_at = file.uploaded_at
    application.save(update_fields=["touched_at"])
    audit.record("evidence_file.added", file, by=by, kind=kind, sha256=file.sha256)
    return file
