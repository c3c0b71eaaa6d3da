"""Where a pack stands, in the words of its business, and which stages of its progress are ours."""

from dataclasses import dataclass

from django.urls import reverse

from agreements.approvals import approvals
from agreements.lifecycle import (
    ABANDONED,
    IN_EVIDENCE,
    OFFERED,
    OUTDATED,
    DecisionKind,
    DocumentStatus,
    PackStatus,
    approvals_needed,
)
from agreements.models import Pack
from agreements.signing.reading_list import ListedDocument
from console.accounts.models import Business
from console.shell.progress import ProgressStep, StageState, StageStatus

S = PackStatus
DRAWING = (S.GENERATING, S.GENERATED, S.QUARANTINED)


@dataclass(frozen=True)
class StatusText:
    """What the page says on top: the title, what it means, and the short word beside it."""

    title: str
    words: str
    label: str
    tone: str = "accent"


_DRAWING = StatusText(
    "Your documents are being prepared",
    "We draw each one from your answers. It takes about a minute, and you may leave this page.",
    "Being prepared",
)
_SEALING = StatusText(
    "We have countersigned",
    "Your documents are being sealed. It takes about a minute, and you need do nothing.",
    "Being sealed",
)
TOLD = {
    S.GENERATING: _DRAWING,
    S.GENERATED: _DRAWING,
    S.QUARANTINED: StatusText(
        "Your documents cannot be prepared yet",
        "The preparation stopped, and our people look into it. Either we put it right and go on, "
        "or we send your answers back and say which one to change. We write to you in both cases.",
        "Delayed",
        "warning",
    ),
    S.IN_REVIEW: StatusText(
        "Read your documents",
        "Read each one and accept it. One signature under all of them follows at the end.",
        "To be read",
    ),
    S.READY_TO_SIGN: StatusText(
        "Ready to sign",
        "Every document is accepted. One signature signs them all.",
        "Ready to sign",
    ),
    S.PARTLY_SIGNED: StatusText("Partly signed", "Another signature is needed.", "Partly signed"),
    S.SIGNED: StatusText("Signed", "Your pack is on its way to our approvers.", "Signed"),
    S.IN_APPROVAL: StatusText(
        "Signed, and with our approvers",
        "Compliance, commercial and legal each look at what you signed. You need do nothing.",
        "With our approvers",
    ),
    S.RETURNED: StatusText(
        "We asked for changes",
        "Change your answers and submit them again. We then prepare a new version, to sign anew.",
        "Changes requested",
        "warning",
    ),
    S.STALE: StatusText(
        "These documents are out of date",
        "Your answers are open again. Once they are accepted, we prepare a new version to sign.",
        "Out of date",
        "warning",
    ),
    S.REJECTED: StatusText(
        "We cannot continue", "We cannot enter into this agreement.", "Refused", "danger"
    ),
    S.APPROVED: StatusText(
        "Approved", "All our approvals are given. Our countersignature is next.", "Approved", "ok"
    ),
    S.COUNTERSIGNING: _SEALING,
    S.SEAL_FAILED: _SEALING,
    S.EXECUTED: StatusText(
        "Executed",
        "Both sides have signed, and every document is sealed. Keep the sealed copies: anyone can "
        "check them.",
        "Executed",
        "ok",
    ),
    S.WITHDRAWN: StatusText("Withdrawn", "This pack was taken back.", "Withdrawn", "neutral"),
    S.EXPIRED: StatusText(
        "The offer has run out",
        "Nobody signed in time. Write to us, and we make a new offer.",
        "Expired",
        "neutral",
    ),
    S.SUPERSEDED: StatusText(
        "Superseded", "A newer pack took the place of this one.", "Superseded", "neutral"
    ),
    S.TERMINATED: StatusText("Ended", "These agreements have ended.", "Ended", "danger"),
}
# How many of the five steps are behind a pack in that status.
BEHIND = {
    **dict.fromkeys((*DRAWING, *OUTDATED), 0),
    S.IN_REVIEW: 1,
    **dict.fromkeys((S.READY_TO_SIGN, S.PARTLY_SIGNED), 2),
    **dict.fromkeys((S.SIGNED, S.IN_APPROVAL), 3),
    **dict.fromkeys((S.APPROVED, S.COUNTERSIGNING, S.SEAL_FAILED), 4),
    **dict.fromkeys(IN_EVIDENCE, 5),
}


@dataclass(frozen=True)
class Count:
    """How many of how many."""

    done: int
    total: int


def told(pack: Pack) -> StatusText:
    return TOLD[PackStatus(pack.status)]


def drawn(listed: list[ListedDocument]) -> Count:
    """Return how many documents are drawn."""
    waiting = (DocumentStatus.RENDERING, DocumentStatus.FAILED)
    done = sum(1 for one in listed if one.document.status not in waiting)
    return Count(done, len(listed))


def approved(pack: Pack) -> Count:
    """Return how many of our approvals are given."""
    given = approvals.decisions(pack).filter(verdict=DecisionKind.APPROVED).count()
    return Count(given, sum(approvals_needed(pack.tier).values()))


def steps(pack: Pack, listed: list[ListedDocument]) -> list[ProgressStep]:
    """Return the five steps of a pack; one that was abandoned has none."""
    if pack.status in ABANDONED:
        return []
    behind = BEHIND[PackStatus(pack.status)]
    accepted = sum(1 for one in listed if one.mine or one.others)
    given = approved(pack)
    details = (
        ("Documents prepared", f"{len(listed)} documents" if behind else "From your answers"),
        ("Read and accepted", f"{accepted} of {len(listed)} accepted" if behind == 1 else ""),
        ("Signed", "Once, for all documents" if behind < 3 else ""),
        ("Approved by us", f"{given.done} of {given.total} approvals" if behind == 3 else ""),
        ("Countersigned and sealed", "The agreement is then executed" if behind < 5 else ""),
    )
    here: StageState = "problem" if pack.status in OUTDATED else "current"
    return [
        ProgressStep(title, _state(place, behind, here), detail, "", "")
        for place, (title, detail) in enumerate(details)
    ]


def _state(place: int, behind: int, here: StageState) -> StageState:
    if place < behind:
        return "done"
    return here if place == behind else "todo"


# The stages of a business ----------------------------------------------------------------------


def signing_stage(business: Business) -> StageStatus:
    """The stage “Read and sign”."""
    pack = _newest(business)
    if pack is None or pack.status in ABANDONED:
        return StageStatus("todo", "Each document, then one signature")
    if BEHIND[PackStatus(pack.status)] > 2:
        return StageStatus("done", "Signed", _url(pack), "See")
    state: StageState = "problem" if pack.status in OUTDATED else "current"
    action = "Open" if pack.status not in OFFERED else "Read and sign"
    return StageStatus(state, told(pack).title, _url(pack), action)


def approving_stage(business: Business) -> StageStatus:
    """The stage “Approvals”."""
    pack = _newest(business)
    behind = BEHIND.get(PackStatus(pack.status), 0) if pack else 0
    if pack is None or behind < 3:
        return StageStatus("todo", "Compliance, commercial and legal")
    if behind > 3:
        return StageStatus("done", "Given")
    given = approved(pack)
    return StageStatus("current", f"{given.done} of {given.total} given", _url(pack), "See")


def executing_stage(business: Business) -> StageStatus:
    """The stage “Executed”."""
    pack = _newest(business)
    behind = BEHIND.get(PackStatus(pack.status), 0) if pack else 0
    if pack is None or behind < 4:
        return StageStatus("todo", "We countersign, and every document is sealed")
    if pack.status == S.EXECUTED:
        return StageStatus("done", "Executed", _url(pack), "See")
    state: StageState = "current" if behind == 4 else "problem"
    return StageStatus(state, told(pack).title, _url(pack), "See")


def _newest(business: Business) -> Pack | None:
    return Pack.objects.of(business).select_related("business", "revision").first()


def _url(pack: Pack) -> str:
    return reverse("agreements:pack", args=[pack.business.public_id])
