"""The check of owners and directors against those on the company's register."""

from dataclasses import replace

from onboarding.checks.providers import AnswersLater, CheckResult
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from onboarding.models.check import CheckKind
from onboarding.ownership.owners import ownership_of
from onboarding.registers import people
from onboarding.registers.people import PeopleLine, RegisterPeople

NOTHING = "No register that we ask states the owners of this company."

UNREADABLE = "The provider's list of owners and directors cannot be read."


def result(found: RegisterPeople | None) -> CheckResult:
    """Return what a register knows, as the answer of a provider."""
    if found is None:
        return CheckResult(CheckStatus.PASSED, NOTHING)
    evidence = {"register": found.register, "people": found.as_text()}
    return CheckResult(CheckStatus.PASSED, "", evidence)


def with_differences(
    check: Check, answer: CheckResult | AnswersLater
) -> CheckResult | AnswersLater:
    """Return the answer with each difference to the answers, which a reviewer explains."""
    if check.kind != CheckKind.OWNERS or not isinstance(answer, CheckResult):
        return answer
    found = people.of_evidence(answer.evidence)
    if answer.status != CheckStatus.PASSED or "people" not in answer.evidence:
        return answer
    if found is None:
        return replace(answer, status=CheckStatus.NEEDS_REVIEW, says=UNREADABLE)
    differences = [one.differs for one in lines(check, found) if one.differs]
    if not differences:
        return replace(answer, says=f"{found.register} states the same.")
    # In the evidence, so that a decision counts only for the same differences.
    evidence = {**answer.evidence, "differences": "\n".join(differences)}
    says = " ".join(differences)
    return replace(answer, status=CheckStatus.NEEDS_REVIEW, says=says, evidence=evidence)


def lines(check: Check, found: RegisterPeople) -> list[PeopleLine]:
    """Return the comparison of a check's submission with what a register lists."""
    submission = check.submission
    ownership = ownership_of(submission.answers, on=submission.submitted_at.date())
    return people.compared(found, ownership)
