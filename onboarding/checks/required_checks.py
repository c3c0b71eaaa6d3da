"""Which checks a submission requires, on whom, and the data sent to the provider."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from console.core.folding import Likeness, likeness
from onboarding.checks.providers import Inquiry
from onboarding.models import Check, Submission
from onboarding.models.check import CheckKind
from onboarding.ownership.owners import ownership_of
from onboarding.ownership.structure import OwnershipParty, is_given, structure_of
from onboarding.questionnaire import loading
from onboarding.questionnaire.named_parties import NamedParty, named_parties
from onboarding.tiers import Tier

_OF_PEOPLE = (CheckKind.IDENTITY, CheckKind.ADDRESS)
_OTHER_NAMES = {"company.native": "li_native_name", "company.trading": "li_trading_name"}


@dataclass(frozen=True)
class Wanted:
    """One required check: its subject, and the inquiry to send."""

    subject: str
    inquiry: Inquiry


def checks_for(submission: Submission, *, is_high: bool) -> list[Wanted]:
    """Return the minimum checks of a submission (specification 5.5 d), and those of its owners.

    Each beneficial owner is identified. If the risk is high, home addresses are confirmed, too.
    """
    people = _people_to_identify(submission, is_high=is_high)
    return [
        one
        for one in _every(submission)
        if one.inquiry.kind not in _OF_PEOPLE
        or (one.subject in people and (is_high or one.inquiry.kind == CheckKind.IDENTITY))
    ]


def is_high(submission: Submission) -> bool:
    """Tell whether the risk of a submission's application is high, as far as it is known."""
    return submission.application.tier == Tier.HIGH


def _people_to_identify(submission: Submission, *, is_high: bool) -> set[str]:
    """Return the subjects of the beneficial owners, or of the managers who stand for them.

    The signatories are among them, whose identity has a check of its own.
    """
    if not is_given(submission.answers):
        return set()
    on = submission.submitted_at.date()
    ownership = ownership_of(submission.answers, on=on, is_high=is_high)
    people = [one.party for one in ownership.owners] or ownership.officials
    numbers = {party.id: n for n, party in enumerate(ownership.structure.parties)}
    signers = signatories(submission.answers)
    people += [one for one in ownership.structure.parties if _are_of(signers.values(), one)]
    return {*signers, *(f"owner.{numbers[one.id]}" for one in people)}


def _are_of(names: Iterable[str], party: OwnershipParty) -> bool:
    """Tell whether one of these names is this person's."""
    return party.is_person and any(likeness(party.name, one) is Likeness.SAME for one in names)


def _every(submission: Submission) -> list[Wanted]:
    """Return every check that a submission may require, of whatever tier."""
    answers = submission.answers
    company = Inquiry(
        kind=CheckKind.REGISTRY,
        name=answers["li_legal_name"],
        business_name=answers["li_legal_name"],
        country=answers["li_country_incorporation"],
        number=answers["li_registration_number"],
    )
    signatory = replace(company, kind=CheckKind.SIGNATORY, is_person=True)
    return [
        Wanted("company", company),
        Wanted("company", replace(company, kind=CheckKind.NUMBER)),
        *(
            Wanted(subject, replace(signatory, name=name))
            for subject, name in signatories(answers).items()
        ),
        *_of_owners(submission, company),
        *_screenings(submission, company),
    ]


def signatories(answers: dict[str, Any]) -> dict[str, str]:
    """Return the name of everybody who is named to sign, by the subject of their checks."""
    others = [row["cosignatory_name"] for row in answers.get("ow_cosignatories") or ()]
    named = [answers["ow_signatory_name"], *others]
    return {subject_of_signatory(place): name for place, name in enumerate(named)}


def subject_of_signatory(place: int) -> str:
    """Return the subject of the checks of the first, second or further signatory."""
    return f"signatory.{place}" if place else "signatory"


def inquiry_of(check: Check) -> Inquiry:
    """Return the inquiry for a check's current attempt."""
    wanted = {(w.subject, w.inquiry.kind): w.inquiry for w in _every(check.submission)}
    return replace(wanted[check.subject, CheckKind(check.kind)], attempt=check.attempts)


def _of_owners(submission: Submission, company: Inquiry) -> Iterator[Wanted]:
    """Yield the comparison with the register, and identity and address of each person."""
    answers = submission.answers
    if not is_given(answers):
        return
    yield Wanted("company", replace(company, kind=CheckKind.OWNERS))
    signers = signatories(answers)
    address = replace(company, kind=CheckKind.ADDRESS, is_person=True, number="")
    parties = structure_of(answers).parties
    for number, party in enumerate(parties):
        if party.is_person:
            who = _inquiry_about(party, address)
            yield Wanted(f"owner.{number}", who)
            if not _are_of(signers.values(), party):
                yield Wanted(f"owner.{number}", replace(who, kind=CheckKind.IDENTITY))
    for subject, name in signers.items():
        if not any(_are_of([name], party) for party in parties):
            yield Wanted(subject, replace(address, name=name))


def _screenings(submission: Submission, company: Inquiry) -> Iterator[Wanted]:
    answers = submission.answers
    screening = replace(company, kind=CheckKind.SCREENING)
    yield Wanted("company", screening)
    for subject, key in _OTHER_NAMES.items():
        if name := answers.get(key):
            yield Wanted(subject, replace(screening, name=name))
    # Everybody in the structure, also directors and people of a trust who own nothing.
    parties = structure_of(answers).parties
    for number, party in enumerate(parties):
        yield Wanted(f"owner.{number}", _inquiry_about(party, screening))
    known = [NamedParty("", one.name, one.is_person, born=one.born) for one in parties]
    for subject, name in signatories(answers).items():
        signs = NamedParty(subject, name, is_person=True)
        if not any(one.is_same(signs) for one in known):
            yield Wanted(subject, replace(screening, name=name, is_person=True, number=""))
        known.append(signs)
    known.append(NamedParty("", company.name, is_person=False))
    # Without a query: the edition was in use when the answers were submitted.
    for named in named_parties(loading.EDITIONS.load(submission.edition), answers):
        if not any(one.is_same(named) for one in known):
            known.append(named)
            yield Wanted(named.subject, _inquiry_about(named, screening))


def _inquiry_about(party: OwnershipParty | NamedParty, screening: Inquiry) -> Inquiry:
    return replace(
        screening, name=party.name, country=party.country, number=party.number,
        born=party.born, is_person=party.is_person,
    )  # fmt: skip
