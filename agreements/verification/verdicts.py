"""Verdicts on files and hashes, in words for the public.

    judge(sha256, registered, revoked, at=..., found=None)    -> Verdict

`registered` is the result of `executed_files.find(sha256)` or None, `revoked` lists the withdrawn
seals, and `found` is the result of `inspection.inspect` if a file was uploaded. The module has no
side effects. The first outcome that applies, in the order of Outcome, is the verdict. A valid seal
is not enough: a file that is not in the register is not an executed copy.
"""

from dataclasses import dataclass
from datetime import datetime

from agreements.pki.revocation import RevocationList
from agreements.verification import verdict_words
from agreements.verification.findings import Findings
from agreements.verification.outcomes import OF_A_PACK, Outcome, Registered
from agreements.verification.zip_comparison import ZipComparison


@dataclass(frozen=True)
class Verdict:
    """A verdict: what is true, what it means, what to do, and the details."""

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
    comparison: ZipComparison | None = None

    @property
    def shows_execution(self) -> bool:
        """Whether the verdict is about an executed file, not an earlier document."""
        return self.outcome in OF_A_PACK


def judge(
    sha256: str,
    registered: Registered | None,
    revoked: RevocationList,
    *,
    at: datetime,
    found: Findings | None = None,
    comparison: ZipComparison | None = None,
) -> Verdict:
    """Return the verdict on a hash, on an uploaded file, or on a zip that was compared."""
    outcome, as_of = _outcome(registered, revoked, found, comparison), verdict_words.moment(at)
    said = verdict_words.say(outcome, registered, found, as_of, comparison)
    details = tuple(verdict_words.details(outcome, registered, revoked, found, as_of))
    return Verdict(
        outcome, said.headline, said.meaning, said.advice, sha256, said.tone, said.icon, details,
        registered, found, comparison,
    )  # fmt: skip


def _outcome(
    registered: Registered | None,
    revoked: RevocationList,
    found: Findings | None,
    comparison: ZipComparison | None,
) -> Outcome:
    if comparison and not comparison.same:
        return Outcome.REPACKED_DIFFERENT
    if found and not comparison and (wrong := _wrong_with_file(found, registered)):
        return wrong
    if registered is None:
        return Outcome.UNKNOWN
    if not registered.executed:
        return Outcome.NOT_EXECUTED
    if registered.shared and not registered.kind.is_seal:
        return Outcome.SHARED
    trusted = Outcome.REPACKED if comparison else Outcome.EXECUTED
    return _of_its_seal(registered, revoked) or (Outcome.SHARED if registered.shared else trusted)


def _of_its_seal(registered: Registered, revoked: RevocationList) -> Outcome | None:
    """Return why its seal is unreliable, or None. An earlier time stamp clears a withdrawn seal."""
    if not (revoked.checked and registered.seal_sha256):
        return Outcome.CANNOT_TELL
    withdrawn = revoked.withdrawn.get(registered.seal_sha256)
    if withdrawn is None or (registered.stamped_at and registered.stamped_at < withdrawn.since):
        return None
    return Outcome.KEY_WITHDRAWN


def _wrong_with_file(found: Findings, registered: Registered | None) -> Outcome | None:
    """Return what is wrong with the file, or None. Files other than PDFs are known by hash only."""
    must_be_sealed = registered is None or registered.kind.sealed_pdf
    if found.unreadable:
        # Registered files were inspected when sealed, so exceeding our limits now does not matter.
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
