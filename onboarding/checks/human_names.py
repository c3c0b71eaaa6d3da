"""A person's name with a word that names an organisation, as a finding for a reviewer.

Whoever is named as a human may have such a name, as Charlotte Church has.
"""

from dataclasses import replace

from onboarding.checks.providers import AnswersLater, CheckResult, Inquiry
from onboarding.lifecycle import CheckStatus
from onboarding.models.check import CheckKind
from onboarding.screening.organisation_names import organisation_word

_DECIDED_BY_NAME = (CheckStatus.PASSED, CheckStatus.NEEDS_REVIEW)


def with_finding(
    inquiry: Inquiry, answer: CheckResult | AnswersLater
) -> CheckResult | AnswersLater:
    """Return the answer about a human, which a reviewer decides if an organisation is named."""
    is_human = inquiry.kind == CheckKind.SCREENING and inquiry.is_person
    if not is_human or isinstance(answer, AnswersLater) or answer.status not in _DECIDED_BY_NAME:
        return answer
    if not (word := organisation_word(inquiry.name)):
        return answer
    says = f"The name has the word “{word}”, so this may be an organisation and no human."
    # Without the versions of the lists, so that a decision stays valid with newer ones.
    kept = {key: value for key, value in answer.evidence.items() if key != "lists"}
    return replace(
        answer,
        status=CheckStatus.NEEDS_REVIEW,
        says=f"{says} {answer.says}",
        evidence=kept | {"word": word},
    )
