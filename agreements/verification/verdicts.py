"""What a file or a fingerprint is worth, in words that a stranger understands.

    judge(sha256, registered, revoked, at=..., found=None)    -> Verdict

One path for every question. `registered` is what `executed_files.find(sha256)` found for those
very bytes, or None; `revoked` says which seals we have withdrawn; `found` is what
`inspecting.inspect` saw where somebody brought the file. Pure. The order of the questions is the
order of Outcome: the first that applies is the answer. A good seal is not enough: a file that is
not in the register is not an executed copy, whatever seal it carries.
"""

from dataclasses import dataclass
from datetime import datetime

from agreements.pki.revocation import RevocationList
from agreements.verification import verdict_words
from agreements.verification.findings import Findings
from agreements.verification.outcomes import OF_A_PACK, Outcome, Registered


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
    revoked: RevocationList,
    *,
    at: datetime,
    found: Findings | None = None,
) -> Verdict:
    """Return the verdict on a fingerprint, or on the file that somebody brought."""
    outcome, as_of = _outcome(registered, revoked, found), verdict_words.moment(at)
    said = verdict_words.say(outcome, registered, found, as_of)
    details = tuple(verdict_words.details(outcome, registered, revoked, found, as_of))
    return Verdict(
        outcome, said.headline, said.meaning, said.advice, sha256, said.tone, said.icon, details,
        registered, found,
    )  # fmt: skip


def _outcome(
    registered: Registered | None, revoked: RevocationList, found: Findings | None
) -> Outcome:
    if found and (wrong := _wrong_with_file(found, registered)):
        return wrong
    if registered is None:
        return Outcome.UNKNOWN
    if not registered.executed:
        return Outcome.NOT_EXECUTED
    if registered.shared and not registered.kind.is_seal:
        return Outcome.SHARED
    return _of_its_seal(registered, revoked) or (
        Outcome.SHARED if registered.shared else Outcome.EXECUTED
    )


def _of_its_seal(registered: Registered, revoked: RevocationList) -> Outcome | None:
    """Return why its seal cannot be relied on; a withdrawn one is cleared by an earlier time."""
    if not (revoked.checked and registered.seal_sha256):
        return Outcome.CANNOT_TELL
    withdrawn = revoked.withdrawn.get(registered.seal_sha256)
    if withdrawn is None or (registered.stamped_at and registered.stamped_at < withdrawn.since):
        return None
    return Outcome.KEY_WITHDRAWN


def _wrong_with_file(found: Findings, registered: Registered | None) -> Outcome | None:
    """Return what the file itself shows to be wrong; what is no PDF is known by its bytes alone."""
    must_be_sealed = registered is None or registered.kind.sealed_pdf
    if found.unreadable:
        # Registered bytes were looked into when they were sealed: our limits do not unsay that.
        known = registered is not None and (found.gave_up or not must_be_sealed)
        return None if known else Outcome.UNREADABLE
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
        and registered.executed
        and registered.seal_sha256 in ("", found.certificate)
        and registered.unsigned_sha256 in ("", found.reviewed_sha256)
    )
