"""Text of a verdict: headline, meaning, advice and details.

say(outcome, ...)        headline, meaning and advice
details(outcome, ...)    additional facts beside the verdict
moment(at)               the time as of which the verdict applies
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agreements.pki.revocation import RevocationList
from agreements.verification.findings import Findings
from agreements.verification.outcomes import OF_A_PACK, Outcome, Registered
from agreements.verification.zip_comparison import FileResult, ZipComparison


@dataclass(frozen=True)
class Said:
    """The text that the page shows for an outcome."""

    tone: str
    icon: str
    headline: str
    meaning: str
    advice: str = ""


_SAID: dict[Outcome, Said] = {
    Outcome.UNREADABLE: Said(
        "neutral",
        "file-question-mark",
        gettext_noop("We cannot read this file"),
        gettext_noop("We cannot tell whether it is authentic."),
        gettext_noop("Choose the original file, not a scan or photograph of it."),
    ),
    Outcome.NOT_SEALED: Said(
        "warning",
        "shield-off",
        gettext_noop("Not sealed by us"),
        gettext_noop(
            "This PDF has no seal, so nothing in it proves who made it or that it is unchanged."
        ),
        gettext_noop("Ask for the executed copy. Both parties can download it from the pack."),
    ),
    Outcome.ALTERED: Said(
        "danger",
        "shield-x",
        gettext_noop("Altered, or not an executed copy"),
        gettext_noop("This is not an exact copy of a file in a pack that both parties executed."),
        gettext_noop("Do not rely on it. Ask for the executed copy and check that copy."),
    ),
    Outcome.FOREIGN: Said(
        "danger",
        "shield-alert",
        gettext_noop("Sealed by someone else"),
        gettext_noop("The seal is intact, but it is not ours. Anyone can put any name in a seal."),
        gettext_noop("Do not rely on it as a document of ours, even if the seal shows our name."),
    ),
    Outcome.UNKNOWN: Said(
        "neutral",
        "circle-question-mark",
        gettext_noop("We do not know this fingerprint"),
        gettext_noop("We have not executed or offered any file with this fingerprint."),
        gettext_noop(
            "A single changed character gives a different fingerprint. Send us the file to "
            "see whether it was changed."
        ),
    ),
    Outcome.NOT_EXECUTED: Said(
        "warning",
        "file-clock",
        gettext_noop("{}, not executed"),
        "",
        gettext_noop("Ask for the executed copy, if there is one."),
    ),
    Outcome.CANNOT_TELL: Said(
        "warning",
        "circle-question-mark",
        gettext_noop("We cannot tell at the moment"),
        gettext_noop(
            "But we cannot tell whether you can still rely on its seal, because our list "
            "of withdrawn seals is unreadable or not correctly signed."
        ),
        gettext_noop("Try again later. We have alerted our operators."),
    ),
    Outcome.KEY_WITHDRAWN: Said(
        "danger",
        "key-round",
        gettext_noop("You can no longer rely on the seal"),
        gettext_noop(
            "But we have withdrawn its seal, and no independent time proves that the seal "
            "was made before that."
        ),
        gettext_noop("Write to us. We have the executed pack and can confirm what was agreed."),
    ),
    Outcome.SHARED: Said(
        "ok",
        "shield-check",
        gettext_noop("One of our files, used in many packs"),
        gettext_noop("Many packs contain this file, so it proves nothing about any one of them."),
        gettext_noop("Check another file of the pack, or the whole zip."),
    ),
    Outcome.REPACKED_DIFFERENT: Said(
        "danger",
        "shield-x",
        gettext_noop("Not the complete pack as executed"),
        gettext_noop(
            "We compared the files in this zip with the list that we sealed. As executed: "
            "%(same)d. Different: %(different)d. Not part of the pack: %(added)d. Missing: "
            "%(missing)d."
        ),
        gettext_noop("Rely only on the files that are as executed. Ask for the original zip."),
    ),
    Outcome.REPACKED: Said("ok", "shield-check", gettext_noop("Every file is as executed"), ""),
    Outcome.EXECUTED: Said("ok", "shield-check", gettext_noop("Authentic, and executed"), ""),
}
_NO_SEAL_KNOWN = gettext_noop(
    "But we could not read its files, so we cannot tell which seal it uses, or "
    "whether you can still rely on that seal."
)
_NOT_OURS = gettext_noop("It is also not an exact copy of any file in a pack that we executed.")
_BY_FINGERPRINT = gettext_noop(
    "Choose a single document of the pack, or enter the fingerprint of the file."
)
_COMPARE = gettext_noop("Compute the fingerprint of your file and compare it, or send us the file.")


def say(
    outcome: Outcome,
    registered: Registered | None,
    found: Findings | None,
    as_of: str,
    comparison: ZipComparison | None = None,
) -> Said:
    said = _SAID[outcome]
    headline, meaning, advice = _(said.headline), _(said.meaning), _(said.advice)
    if outcome == Outcome.UNREADABLE and found:
        why = f"{found.unreadable[:1].upper()}{found.unreadable[1:]}."
        meaning = " ".join([why, *([] if registered else [_(_NOT_OURS)]), meaning])
        if found.gave_up:
            advice = _(_BY_FINGERPRINT)
    if outcome == Outcome.REPACKED_DIFFERENT and comparison:
        meaning %= {str(result): comparison.count(result) for result in FileResult}
    if outcome == Outcome.ALTERED and found and found.fault:
        meaning = _("%(meaning)s What we found: %(fault)s.") % {
            "meaning": meaning,
            "fault": found.fault,
        }
    if registered and outcome in (*OF_A_PACK, Outcome.NOT_EXECUTED, Outcome.SHARED):
        meaning = " ".join(_about(outcome, registered, found, meaning, as_of))
    if outcome == Outcome.NOT_EXECUTED and registered:
        headline = headline.format(_(registered.kind.title))
    if outcome == Outcome.EXECUTED and found is None:
        advice = _(_COMPARE)
    return replace(said, headline=headline, meaning=meaning, advice=advice)


def _about(
    outcome: Outcome, registered: Registered, found: Findings | None, meaning: str, as_of: str
) -> list[str]:
    """Return what the file is, what it proves, and its current state."""
    opened = _("This is an exact copy of") if found else _("This is the fingerprint of")
    said = [f"{opened} {_(registered.kind.noun)}."]
    if outcome == Outcome.CANNOT_TELL and not registered.seal_sha256:
        return [*said, _(_NO_SEAL_KNOWN)]
    if outcome in (Outcome.CANNOT_TELL, Outcome.KEY_WITHDRAWN, Outcome.SHARED):
        return [*said, meaning]
    ending = (
        _("Our register shows it as executed, as of %(as_of)s.")
        if registered.executed
        else _("It is not executed, as of %(as_of)s.")
    )
    worth = _(registered.kind.worth)
    return [one for one in (*said, worth, ending % {"as_of": as_of}) if one]


# Details ----------------------------------------------------------------------------------------


_TIME = {
    "none": gettext_noop("No independent time. The time is from our own records."),
    "trusted": gettext_noop("Proven by an independent time-stamping authority: {}"),
    "simulated": gettext_noop("Simulated by the demo, not evidence: {}"),
    "unknown": gettext_noop("Stamped by an authority that we do not recognise."),
}


def details(
    outcome: Outcome,
    registered: Registered | None,
    revoked: RevocationList,
    found: Findings | None,
    as_of: str,
) -> Iterator[tuple[str, str]]:
    """Yield labelled facts to show beside the verdict."""
    if registered and outcome in (*OF_A_PACK, Outcome.NOT_EXECUTED) and not registered.shared:
        stands = (
            _("Executed, as of %(as_of)s")
            if registered.executed
            else _("Not executed, as of %(as_of)s")
        )
        yield _("Our register"), stands % {"as_of": as_of}
    if found and found.seals:
        yield from _of_seal(found)
    elif found and found.gave_up and registered and registered.kind.sealed_pdf:
        yield (
            _("Seal"),
            _("Known from our register, but not checked again: %(unreadable)s")
            % {"unreadable": found.unreadable},
        )
    seal = registered.seal_sha256 if registered else found.certificate if found else ""
    if seal and not (found and found.fault) and outcome != Outcome.UNREADABLE:
        yield _("Withdrawn seals"), _on_list(seal, revoked, as_of)


def _of_seal(found: Findings) -> Iterator[tuple[str, str]]:
    if found.fault:
        yield _("Seal"), _("Not valid: %(fault)s") % {"fault": found.fault}
        return
    yield _("Seal"), _("Intact, over the whole file")
    yield (
        _("Key"),
        _("Ours")
        if found.root
        else _("Not ours. It shows the name “%(sealed_by)s”") % {"sealed_by": found.sealed_by},
    )
    yield _("Time"), _(_TIME[found.stamp]).format(found.stamped_at)


def _on_list(seal_sha256: str, revoked: RevocationList, as_of: str) -> str:
    if not revoked.checked:
        return _("The list is unreadable or not correctly signed, as of %(as_of)s") % {
            "as_of": as_of
        }
    if withdrawn := revoked.withdrawn.get(seal_sha256):
        return _("This seal is on the list. Do not rely on it from %(moment)s") % {
            "moment": moment(withdrawn.since)
        }
    return _("This seal is not on the list, as of %(as_of)s") % {"as_of": as_of}


def moment(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at.day} {at:%B %Y}, {at:%H:%M} UTC"
