"""What a file or a fingerprint is worth, in words that a stranger understands.

    judge(findings, registered, standing)     -> Verdict on a file, from `inspecting.inspect`
    judge_fingerprint(sha256, registered)     -> Verdict on a fingerprint alone

Pure: `registered` is what `registry.find(sha256)` found for those very bytes, or None; `standing`
says which seals we have withdrawn. The order of the questions is the order of Outcome: the first
that applies is the answer. A good seal is not enough: a file that is not in the register is not
an executed copy, whatever seal it carries.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from agreements.inspecting import Findings


class Outcome(StrEnum):
    """The answers, in the order in which they are looked for."""

    UNREADABLE = "unreadable"
    NOT_SEALED = "not_sealed"
    ALTERED = "altered"
    FOREIGN = "foreign"
    KEY_WITHDRAWN = "key_withdrawn"
    ENDED = "ended"
    IN_FORCE = "in_force"
    UNKNOWN = "unknown"  # a fingerprint alone that is not in the register


Status = Literal["not_executed", "in_force", "superseded", "terminated"]


@dataclass(frozen=True)
class Registered:
    """What the register holds for one fingerprint: a paper, a certificate, a manifest.

    `sealed_sha256` is the fingerprint of what was executed, empty for a paper that was not;
    `unsigned_sha256` that of the paper as it was read, where there is one. A manifest is no PDF and
    has its seal beside it. The parties are named only to somebody who holds the file.
    """

    title: str
    status: Status
    unsigned_sha256: str = ""
    sealed_sha256: str = ""
    pack: str = ""
    executed_at: datetime | None = None
    ended_at: datetime | None = None
    successor_sha256: str = ""
    parties: tuple[str, ...] = ()
    is_manifest: bool = False


@dataclass(frozen=True)
class Withdrawn:
    """A seal that is not to be relied on from a moment on."""

    since: datetime
    reason: str


@dataclass(frozen=True)
class Standing:
    """Which seals are withdrawn, by the SHA-256 of their certificate.

    `checked` says whether that list was read and is ours; one that is not is never obeyed.
    """

    checked: bool = False
    withdrawn: Mapping[str, Withdrawn] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """The answer: what is so, what it means, what to do, and the details under it."""

    outcome: Outcome
    headline: str
    meaning: str
    advice: str
    sha256: str
    tone: str
    icon: str
    details: tuple[tuple[str, str], ...] = ()
    registered: Registered | None = None
    findings: Findings | None = None

    @property
    def shows_parties(self) -> bool:
        """Whether the names may be shown: only the file itself opens them."""
        return self.findings is not None and self.registered is not None

    @property
    def shows_execution(self) -> bool:
        """Whether this is what was executed, and not a paper that came before it."""
        return self.outcome in (Outcome.IN_FORCE, Outcome.ENDED, Outcome.KEY_WITHDRAWN)


def judge(
    found: Findings, registered: Registered | None, standing: Standing | None = None
) -> Verdict:
    """Return the verdict on a file that was looked at."""
    standing = standing or Standing()
    outcome = _outcome(found, registered, standing)
    return _verdict(outcome, found.sha256, registered, found, _details(found, standing))


def judge_fingerprint(sha256: str, registered: Registered | None) -> Verdict:
    """Return the verdict on a fingerprint, when nobody has shown us the file."""
    if registered is None:
        return _verdict(Outcome.UNKNOWN, sha256)
    if registered.sealed_sha256 != sha256:
        return _verdict(Outcome.NOT_SEALED, sha256, registered)
    return _verdict(_standing_outcome(registered), sha256, registered)


def _outcome(found: Findings, registered: Registered | None, standing: Standing) -> Outcome:
    if found.unreadable:
        known = registered if registered and registered.is_manifest else None
        return _standing_outcome(known) if known else Outcome.UNREADABLE
    if not found.seals:
        return Outcome.NOT_SEALED
    if found.fault:
        return Outcome.ALTERED
    if not found.root:
        return Outcome.FOREIGN
    if not _is_executed_copy(found, registered):
        return Outcome.ALTERED
    if _withdrawn(found, standing):
        return Outcome.KEY_WITHDRAWN
    assert registered
    return _standing_outcome(registered)


def _is_executed_copy(found: Findings, registered: Registered | None) -> bool:
    return (
        registered is not None
        and registered.sealed_sha256 == found.sha256
        and registered.unsigned_sha256 in ("", found.reviewed_sha256)
    )


def _standing_outcome(registered: Registered) -> Outcome:
    return Outcome.IN_FORCE if registered.status == "in_force" else Outcome.ENDED


def _withdrawn(found: Findings, standing: Standing) -> bool:
    """A withdrawn seal is cleared only by independent time before it was lost."""
    withdrawn = standing.withdrawn.get(found.certificate) if standing.checked else None
    if withdrawn is None:
        return False
    proven = found.stamp == "trusted" and datetime.fromisoformat(found.stamped_at)
    return not (proven and proven < withdrawn.since)


# Words ------------------------------------------------------------------------------------------


def _verdict(
    outcome: Outcome,
    sha256: str,
    registered: Registered | None = None,
    found: Findings | None = None,
    details: tuple[tuple[str, str], ...] = (),
) -> Verdict:
    tone, icon, headline, meaning, advice = _say(outcome, registered, found)
    return Verdict(
        outcome, headline, meaning, advice, sha256, tone, icon, details, registered, found
    )


Said = tuple[str, str, str, str, str]

_SAID: dict[Outcome, Said] = {
    Outcome.UNREADABLE: (
        "neutral",
        "file-question-mark",
        "We cannot read this file",
        "It tells us nothing, for or against.",
        "Choose the PDF as you received it, not a scan, a photograph or a printout of it.",
    ),
    Outcome.NOT_SEALED: (
        "warning",
        "shield-off",
        "Not sealed by us",
        "This PDF carries no seal, so nothing in it proves who made it or that it is unchanged.",
        "Ask for the executed copy: a PDF from the pack that both parties can download.",
    ),
    Outcome.ALTERED: (
        "danger",
        "shield-x",
        "Altered, or not an executed copy",
        "This is not, byte for byte, a document that both parties executed.",
        "Do not rely on it. Ask for the executed copy and check that one.",
    ),
    Outcome.FOREIGN: (
        "danger",
        "shield-alert",
        "Sealed by someone else",
        "The seal is intact, but it is not ours. The name in it is a claim that anybody can make.",
        "Do not rely on it as a document of ours, even where our name stands in the seal.",
    ),
    Outcome.KEY_WITHDRAWN: (
        "danger",
        "key-round",
        "The seal can no longer be relied on",
        "We have withdrawn the key that made this seal, and no independent time shows that it "
        "was made before.",
        "Write to us: we keep the executed copy and can confirm what was agreed.",
    ),
    Outcome.ENDED: (
        "warning",
        "shield-check",
        "Authentic, no longer in force",
        "Both parties executed exactly this document. It has since ended.",
        "Rely on it for the time in which it was in force.",
    ),
    Outcome.IN_FORCE: (
        "ok",
        "shield-check",
        "Authentic and in force",
        "Both parties executed exactly this document, and not one byte has changed since.",
        "",
    ),
    Outcome.UNKNOWN: (
        "neutral",
        "circle-question-mark",
        "We do not know this fingerprint",
        "It belongs to no document that we executed or offered.",
        "One different character gives another fingerprint. Give us the file itself: we then "
        "see whether it was changed.",
    ),
}
_REVIEW_COPY: Said = (
    "warning",
    "file-clock",
    "A review copy, not executed",
    "This is, unchanged, a document that we offered for reading. It carries no seal and is "
    "no proof that anybody agreed to it.",
    "Ask for the executed copy, if there is one.",
)


def _say(outcome: Outcome, registered: Registered | None, found: Findings | None) -> Said:
    if outcome == Outcome.NOT_SEALED and registered:
        return _REVIEW_COPY
    tone, icon, headline, meaning, advice = _SAID[outcome]
    if outcome == Outcome.UNREADABLE and found:
        meaning = f"{found.unreadable[:1].upper()}{found.unreadable[1:]}. {meaning}"
    if outcome == Outcome.ALTERED and found and found.fault:
        meaning = f"{meaning} What we found: {found.fault}."
    if outcome == Outcome.IN_FORCE and found is None:
        meaning = "Both parties executed the document that has exactly this fingerprint."
        advice = "Compute the fingerprint of your file and compare it, or give us the file."
    if outcome == Outcome.ENDED and registered and registered.status == "superseded":
        meaning = "Both parties executed exactly this document. A newer one has replaced it."
    return tone, icon, headline, meaning, advice


_TIME = {
    "none": "No independent time. The time comes from our own record.",
    "trusted": "Proven by an independent time-stamping authority: {}",
    "simulated": "Simulated, in the demo world; no evidence: {}",
    "unknown": "Stamped by an authority that we do not know.",
}


def _details(found: Findings, standing: Standing) -> tuple[tuple[str, str], ...]:
    """What stands beside the verdict and is no part of it."""
    if found.unreadable or not found.seals:
        return ()
    if found.fault:
        return (("Seal", f"Not in order: {found.fault}"),)
    ours = "Ours" if found.root else f"Not ours. It calls itself “{found.sealed_by}”"
    return (
        ("Seal", "Intact, over the whole file"),
        ("Key", ours),
        ("Time", _TIME[found.stamp].format(found.stamped_at)),
        ("Withdrawn keys", "Checked" if standing.checked else "No list to check"),
    )
