"""Named rules that compare several values, for use in editions."""

from collections.abc import Callable
from decimal import Decimal

from onboarding.ownership import structure
from onboarding.questionnaire.edition_schema import AnswerRule, Answers

# Shares are estimates, so half a percentage point does not matter.
TOLERANCE = Decimal("0.5")


def broken(rule: AnswerRule, answers: Answers) -> bool:
    """Tell whether the answers break the rule. Missing answers do not."""
    if answers.get(rule.field) is None:
        return False
    return KINDS[rule.kind](rule, answers)


def _rows_add_up_to(rule: AnswerRule, answers: Answers) -> bool:
    return abs(_sum(rule, answers) - Decimal(rule.amount)) > TOLERANCE


def _rows_add_up_to_no_more_than(rule: AnswerRule, answers: Answers) -> bool:
    return _sum(rule, answers) > Decimal(rule.amount)


def _no_more_than(rule: AnswerRule, answers: Answers) -> bool:
    mine, other = answers[rule.field], answers.get(rule.other)
    if other is None or mine["currency"] != other["currency"]:
        return False
    return bool(mine["minor"] > other["minor"])


def _control_is_named(rule: AnswerRule, answers: Answers) -> bool:
    """Tell whether nobody is named who controls in another way than by shares."""
    stated = answers.get(rule.other)
    if not answers[rule.field] or stated is None:
        return False
    interests = {one["interest"] for one in stated["holdings"]}
    roles = {one["role"] for one in stated["roles"]}
    return interests <= structure.SHARED and roles <= structure.MANAGERS


def _sum(rule: AnswerRule, answers: Answers) -> Decimal:
    return sum((Decimal(row.get(rule.column, "0")) for row in answers[rule.field]), Decimal())


KINDS: dict[str, Callable[[AnswerRule, Answers], bool]] = {
    "rows_add_up_to": _rows_add_up_to,
    "rows_add_up_to_no_more_than": _rows_add_up_to_no_more_than,
    "no_more_than": _no_more_than,
    "control_is_named": _control_is_named,
}
