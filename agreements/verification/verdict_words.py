"""The words of a verdict, for a stranger: what is so, what it means, what to do, and the details.

say(outcome, ...)        headline, meaning and advice
details(outcome, ...)    what stands beside the verdict and is no part of it
moment(at)               the time from which a word counts
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from agreements.pki.revocation import RevocationList
from agreements.verification.findings import Findings
from agreements.verification.outcomes import OF_A_PACK, Outcome, Registered


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
        "It tells us nothing, for or against.",
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
    Outcome.EXECUTED: Said("ok", "shield-check", "Authentic, and executed", ""),
}
_NO_SEAL_KNOWN = (
    "But its own files could not be read, so we cannot tell which seal it stands on, and whether "
    "that one can still be relied on."
)
_NOT_OURS = "Nor is it, byte for byte, any file of a pack that we executed."
_BY_FINGERPRINT = "Choose a single document of the pack, or enter the fingerprint of the file."
_COMPARE = "Compute the fingerprint of your file and compare it, or give us the file."


def say(
    outcome: Outcome, registered: Registered | None, found: Findings | None, as_of: str
) -> Said:
    said = _SAID[outcome]
    headline, meaning, advice = said.headline, said.meaning, said.advice
    if outcome == Outcome.UNREADABLE and found:
        why = f"{found.unreadable[:1].upper()}{found.unreadable[1:]}."
        meaning = " ".join([why, *([] if registered else [_NOT_OURS]), meaning])
        if found.gave_up:
            advice = _BY_FINGERPRINT
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
    ending = "Our register holds no end of it" if registered.executed else "It is not executed"
    return [one for one in (*said, registered.kind.worth, f"{ending}, as of {as_of}.") if one]


# Details ----------------------------------------------------------------------------------------


_TIME = {
    "none": "No independent time. The time comes from our own record.",
    "trusted": "Proven by an independent time-stamping authority: {}",
    "simulated": "Simulated, in the demo world; no evidence: {}",
    "unknown": "Stamped by an authority that we do not know.",
}


def details(
    outcome: Outcome,
    registered: Registered | None,
    revoked: RevocationList,
    found: Findings | None,
    as_of: str,
) -> Iterator[tuple[str, str]]:
    """Yield what stands beside the verdict and is no part of it."""
    if registered and outcome in (*OF_A_PACK, Outcome.NOT_EXECUTED) and not registered.shared:
        stands = "Executed. It holds no end of it" if registered.executed else "Not executed"
        yield "Our register", f"{stands}, as of {as_of}"
    if found and found.seals:
        yield from _of_seal(found)
    elif found and found.gave_up and registered and registered.kind.sealed_pdf:
        yield "Seal", f"Known from our register, not looked into again: {found.unreadable}"
    seal = registered.seal_sha256 if registered else found.certificate if found else ""
    if seal and not (found and found.fault) and outcome != Outcome.UNREADABLE:
        yield "Withdrawn seals", _on_list(seal, revoked, as_of)


def _of_seal(found: Findings) -> Iterator[tuple[str, str]]:
    if found.fault:
        yield "Seal", f"Not in order: {found.fault}"
        return
    yield "Seal", "Intact, over the whole file"
    yield "Key", "Ours" if found.root else f"Not ours. It calls itself “{found.sealed_by}”"
    yield "Time", _TIME[found.stamp].format(found.stamped_at)


def _on_list(seal_sha256: str, revoked: RevocationList, as_of: str) -> str:
    if not revoked.checked:
        return f"The list cannot be read, or is not rightly signed, as of {as_of}"
    if withdrawn := revoked.withdrawn.get(seal_sha256):
        return f"This seal is on the list: not to be relied on from {moment(withdrawn.since)}"
    return f"This seal is not on the list, as of {as_of}"


def moment(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y}, {at:%H:%M} UTC"
