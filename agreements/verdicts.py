"""What a file or a fingerprint is worth, in words that a stranger understands.

    judge(sha256, registered, standing, at=..., found=None)    -> Verdict

One path for every question. `registered` is what `executed_files.find(sha256)` found for those
very bytes, or None; `standing` says which seals we have withdrawn; `found` is what
`inspecting.inspect` saw where somebody brought the file. Pure. The order of the questions is the
order of Outcome: the first that applies is the answer. A good seal is not enough: a file that is
not in the register is not an executed copy, whatever seal it carries.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Literal

from agreements.file_kinds import FileKind
from agreements.inspecting import Findings


class Outcome(StrEnum):
    """The answers, in the order in which they are looked for."""

    UNREADABLE = "unreadable"
    NOT_SEALED = "not_sealed"
    ALTERED = "altered"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"  # a fingerprint alone that is not in the register
    NOT_EXECUTED = "not_executed"
    CANNOT_TELL = "cannot_tell"
    KEY_WITHDRAWN = "key_withdrawn"
    SHARED = "shared"  # the same file in many packs
    ENDED = "ended"
    EXECUTED = "executed"


Status = Literal["not_executed", "executed", "superseded", "terminated"]
OF_A_PACK = (Outcome.CANNOT_TELL, Outcome.KEY_WITHDRAWN, Outcome.ENDED, Outcome.EXECUTED)


@dataclass(frozen=True)
class Registered:
    """What the register holds for one fingerprint.

    `seal_sha256` is the certificate of the seal that its pack was executed with, empty where that
    cannot be found out, and `stamped_at` the independent time of that. `unsigned_sha256` is the
    PDF before its seal, where there is one. Pack and parties are named only to somebody who holds
    the file; a shared file belongs to no pack.
    """

    kind: FileKind
    status: Status
    title: str = ""
    unsigned_sha256: str = ""
    executed_at: datetime | None = None
    seal_sha256: str = ""
    stamped_at: datetime | None = None
    shared: bool = False
    pack: str = ""
    parties: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.title or self.kind.title


@dataclass(frozen=True)
class Withdrawn:
    """A seal that is not to be relied on from a moment on."""

    since: datetime
    reason: str


@dataclass(frozen=True)
class Standing:
    """Which seals are withdrawn, by the SHA-256 of their certificate.

    `checked` says whether that list was read and is ours; one that is not is never obeyed, and
    without it nobody can tell what a seal is worth.
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
    def shows_execution(self) -> bool:
        """Whether this is of what was executed, and not a document that came before it."""
        return self.outcome in OF_A_PACK


def judge(
    sha256: str,
    registered: Registered | None,
    standing: Standing,
    *,
    at: datetime,
    found: Findings | None = None,
) -> Verdict:
    """Return the verdict on a fingerprint, or on the file that somebody brought."""
    outcome = _outcome(registered, standing, found)
    said = _say(outcome, registered, found, _moment(at))
    details = tuple(_details(outcome, registered, standing, found, _moment(at)))
    return Verdict(
        outcome, said.headline, said.meaning, said.advice, sha256, said.tone, said.icon, details,
        registered, found,
    )  # fmt: skip


def _outcome(registered: Registered | None, standing: Standing, found: Findings | None) -> Outcome:
    if found and (wrong := _wrong_with_file(found, registered)):
        return wrong
    if registered is None:
        return Outcome.UNKNOWN
    if registered.status == "not_executed":
        return Outcome.NOT_EXECUTED
    if registered.shared and not registered.kind.is_seal:
        return Outcome.SHARED
    if not (standing.checked and registered.seal_sha256):
        return Outcome.CANNOT_TELL
    if _is_withdrawn(registered, standing):
        return Outcome.KEY_WITHDRAWN
    if registered.shared:
        return Outcome.SHARED
    return Outcome.EXECUTED if registered.status == "executed" else Outcome.ENDED


def _wrong_with_file(found: Findings, registered: Registered | None) -> Outcome | None:
    """Return what the file itself shows to be wrong; what is no PDF is known by its bytes alone."""
    must_be_sealed = registered is None or registered.kind.sealed_pdf
    if found.unreadable:
        return Outcome.UNREADABLE if must_be_sealed else None
    if not found.seals:
        return Outcome.NOT_SEALED if must_be_sealed else None
    if found.fault:
        return Outcome.ALTERED
    if not found.root:
        return Outcome.FOREIGN
    return None if _is_executed_copy(found, registered) else Outcome.ALTERED


def _is_executed_copy(found: Findings, registered: Registered | None) -> bool:
    return (
        registered is not None
        and registered.status != "not_executed"
        and registered.seal_sha256 in ("", found.certificate)
        and registered.unsigned_sha256 in ("", found.reviewed_sha256)
    )


def _is_withdrawn(registered: Registered, standing: Standing) -> bool:
    """A withdrawn seal is cleared only by independent time before it was lost."""
    withdrawn = standing.withdrawn.get(registered.seal_sha256)
    if withdrawn is None:
        return False
    return not (registered.stamped_at and registered.stamped_at < withdrawn.since)


# Words ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What the page says of an outcome."""

    tone: str
    icon: str
    headline: str
    meaning: str
    advice: str = ""


_SAID: dict[Outcome, Said] = {
    Outcome.UNREADABLE: Said(
        "neutral",
        "file-question-mark",
        "We cannot read this file",
        "It is also, byte for byte, no file of a pack that we executed. It tells us nothing, for "
        "or against.",
        "Choose the file as you received it, not a scan, a photograph or a printout of it.",
    ),
    Outcome.NOT_SEALED: Said(
        "warning",
        "shield-off",
        "Not sealed by us",
        "This PDF carries no seal, so nothing in it proves who made it or that it is unchanged.",
        "Ask for the executed copy: a PDF from the pack that both parties can download.",
    ),
    Outcome.ALTERED: Said(
        "danger",
        "shield-x",
        "Altered, or not an executed copy",
        "This is not, byte for byte, a file of a pack that both parties executed.",
        "Do not rely on it. Ask for the executed copy and check that one.",
    ),
    Outcome.FOREIGN: Said(
        "danger",
        "shield-alert",
        "Sealed by someone else",
        "The seal is intact, but it is not ours. The name in it is a claim that anybody can make.",
        "Do not rely on it as a document of ours, even where our name stands in the seal.",
    ),
    Outcome.UNKNOWN: Said(
        "neutral",
        "circle-question-mark",
        "We do not know this fingerprint",
        "It belongs to no file that we executed or offered.",
        "One different character gives another fingerprint. Give us the file itself: we then "
        "see whether it was changed.",
    ),
    Outcome.NOT_EXECUTED: Said(
        "warning",
        "file-clock",
        "{}, not executed",
        "",
        "Ask for the executed copy, if there is one.",
    ),
    Outcome.CANNOT_TELL: Said(
        "warning",
        "circle-question-mark",
        "We cannot tell at the moment",
        "But we cannot tell whether its seal can still be relied on: our list of withdrawn seals "
        "cannot be read, or is not rightly signed.",
        "Ask again later. Our operators are told of it.",
    ),
    Outcome.KEY_WITHDRAWN: Said(
        "danger",
        "key-round",
        "The seal can no longer be relied on",
        "But we have withdrawn its seal, and no independent time shows that the seal was made "
        "before that.",
        "Write to us: we keep the executed pack and can confirm what was agreed.",
    ),
    Outcome.SHARED: Said(
        "ok",
        "shield-check",
        "A file of ours, in many packs",
        "The same file stands in many packs, so it says nothing about any one of them.",
        "Check another file of the pack, or the whole zip.",
    ),
    Outcome.ENDED: Said(
        "warning",
        "shield-check",
        "Authentic, and ended",
        "",
        "Rely on it for the time before it ended.",
    ),
    Outcome.EXECUTED: Said("ok", "shield-check", "Authentic, and executed", ""),
}
_ENDS: dict[Status, str] = {
    "executed": "Our register holds no end of it, as of {}.",
    "superseded": "Our register says, as of {}, that a newer one has replaced it.",
    "terminated": "Our register says, as of {}, that it has ended.",
    "not_executed": "It is not executed, as of {}.",
}
_NO_SEAL_KNOWN = (
    "But its own files could not be read, so we cannot tell which seal it stands on, and whether "
    "that one can still be relied on."
)
_COMPARE = "Compute the fingerprint of your file and compare it, or give us the file."


def _say(
    outcome: Outcome, registered: Registered | None, found: Findings | None, as_of: str
) -> Said:
    said = _SAID[outcome]
    headline, meaning, advice = said.headline, said.meaning, said.advice
    if outcome == Outcome.UNREADABLE and found:
        meaning = f"{found.unreadable[:1].upper()}{found.unreadable[1:]}. {meaning}"
    if outcome == Outcome.ALTERED and found and found.fault:
        meaning = f"{meaning} What we found: {found.fault}."
    if registered and outcome in (*OF_A_PACK, Outcome.NOT_EXECUTED, Outcome.SHARED):
        meaning = " ".join(_about(outcome, registered, found, meaning, as_of))
    if outcome == Outcome.NOT_EXECUTED and registered:
        headline = headline.format(registered.kind.title)
    if outcome == Outcome.EXECUTED and found is None:
        advice = _COMPARE
    return replace(said, headline=headline, meaning=meaning, advice=advice)


def _about(
    outcome: Outcome, registered: Registered, found: Findings | None, meaning: str, as_of: str
) -> list[str]:
    """Say what these bytes are, what that is worth, and how it stands with it."""
    opened = "This is, byte for byte," if found else "This is the fingerprint of"
    said = [f"{opened} {registered.kind.noun}."]
    if outcome == Outcome.CANNOT_TELL and not registered.seal_sha256:
        return [*said, _NO_SEAL_KNOWN]
    if outcome in (Outcome.CANNOT_TELL, Outcome.KEY_WITHDRAWN, Outcome.SHARED):
        return [*said, meaning]
    ending = _ENDS[registered.status].format(as_of)
    return [one for one in (*said, registered.kind.worth, ending) if one]


# Details ----------------------------------------------------------------------------------------


_TIME = {
    "none": "No independent time. The time comes from our own record.",
    "trusted": "Proven by an independent time-stamping authority: {}",
    "simulated": "Simulated, in the demo world; no evidence: {}",
    "unknown": "Stamped by an authority that we do not know.",
}
_REGISTER: dict[Status, str] = {
    "executed": "Executed. It holds no end of it, as of {}",
    "superseded": "Superseded, as of {}",
    "terminated": "Ended, as of {}",
    "not_executed": "Not executed, as of {}",
}


def _details(
    outcome: Outcome,
    registered: Registered | None,
    standing: Standing,
    found: Findings | None,
    as_of: str,
) -> Iterator[tuple[str, str]]:
    """Yield what stands beside the verdict and is no part of it."""
    if registered and outcome in (*OF_A_PACK, Outcome.NOT_EXECUTED) and not registered.shared:
        yield "Our register", _REGISTER[registered.status].format(as_of)
    if found and found.seals:
        yield from _of_seal(found)
    seal = registered.seal_sha256 if registered else found.certificate if found else ""
    if seal and not (found and found.fault) and outcome != Outcome.UNREADABLE:
        yield "Withdrawn seals", _on_list(seal, standing, as_of)


def _of_seal(found: Findings) -> Iterator[tuple[str, str]]:
    if found.fault:
        yield "Seal", f"Not in order: {found.fault}"
        return
    yield "Seal", "Intact, over the whole file"
    yield "Key", "Ours" if found.root else f"Not ours. It calls itself “{found.sealed_by}”"
    yield "Time", _TIME[found.stamp].format(found.stamped_at)


def _on_list(seal_sha256: str, standing: Standing, as_of: str) -> str:
    if not standing.checked:
        return f"The list cannot be read, or is not rightly signed, as of {as_of}"
    if withdrawn := standing.withdrawn.get(seal_sha256):
        return f"This seal is on the list: not to be relied on from {_moment(withdrawn.since)}"
    return f"This seal is not on the list, as of {as_of}"


def _moment(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y}, {at:%H:%M} UTC"
