"""The file that gives the signatory a written authority, and what legal decided about it.

A new submission may name another signatory, so legal decides again.
"""

from collections.abc import Mapping
from typing import Any

from onboarding.evidence.models import EvidenceFile, EvidenceKind
from onboarding.lifecycle import ActKind
from onboarding.models import Application, CaseAct

BASIS, WRITTEN = "ow_signatory_basis", "authority_document"


def is_written(answers: Mapping[str, Any]) -> bool:
    """Tell whether the answers say that the signatory has a written authority."""
    return answers.get(BASIS) == WRITTEN


def files_of(application: Application) -> list[EvidenceFile]:
    """Return the files of this kind that our staff can open, oldest first."""
    rows = EvidenceFile.objects.of(application).filter(kind=EvidenceKind.AUTHORITY)
    return [file for file in rows if file.is_shown]


def decision(application: Application) -> CaseAct | None:
    """Return what legal decided last about the newest submission."""
    if application.submission is None:
        return None
    acts = CaseAct.objects.filter(
        reviewer__application=application,
        kind__in=(ActKind.ACCEPT_AUTHORITY, ActKind.REFUSE_AUTHORITY),
        at__gte=application.submission.submitted_at,
    )
    return acts.order_by("pk").last()


def awaits_decision(application: Application) -> bool:
    """Tell whether legal must decide before the application can be cleared."""
    submission = application.submission
    return bool(submission and is_written(submission.answers) and not accepted_sha256(application))


def accepted_sha256(application: Application) -> str:
    """Return the hash of the file that legal accepted, or ""."""
    act = decision(application)
    if act is None or act.kind != ActKind.ACCEPT_AUTHORITY:
        return ""
    return act.evidence.values_list("sha256", flat=True).get()
