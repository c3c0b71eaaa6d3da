"""Which checks a submission requires, on whom, and the data sent to the provider."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onboarding.checks.providers import Inquiry
from onboarding.models import Check, Submission
from onboarding.models.check import CheckKind
from onboarding.ownership.structure import OwnershipParty, structure_of
from onboarding.questionnaire import loading
from onboarding.questionnaire.named_parties import NamedParty, named_parties

_OTHER_NAMES = {"company.native": "li_native_name", "company.trading": "li_trading_name"}


@dataclass(frozen=True)
class Wanted:
    """One required check: its subject, and the inquiry to send."""

    subject: str
    inquiry: Inquiry


def checks_for(submission: Submission) -> list[Wanted]:
    """Return the minimum checks of a submission (specification 5.5 d)."""
    answers = submission.answers
    company = Inquiry(
        kind=CheckKind.REGISTRY,
        name=answers["li_legal_name"],
        business_name=answers["li_legal_name"],
        country=answers["li_country_incorporation"],
        number=answers["li_registration_number"],
    )
    signatory = replace(
        company, kind=CheckKind.SIGNATORY, name=answers["ow_signatory_name"], is_person=True
    )
    return [
        Wanted("company", company),
        Wanted("company", replace(company, kind=CheckKind.NUMBER)),
        Wanted("signatory", signatory),
        *_screenings(submission, company),
    ]


def inquiry_of(check: Check) -> Inquiry:
    """Return the inquiry for a check's current attempt."""
    wanted = {(w.subject, w.inquiry.kind): w.inquiry for w in checks_for(check.submission)}
    return replace(wanted[check.subject, CheckKind(check.kind)], attempt=check.attempts)


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
    signs = NamedParty("signatory", answers["ow_signatory_name"], is_person=True)
    if not any(one.is_same(signs) for one in known):
        yield Wanted(signs.subject, replace(screening, name=signs.name, is_person=True, number=""))
    known += [signs, NamedParty("", company.name, is_person=False)]
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
