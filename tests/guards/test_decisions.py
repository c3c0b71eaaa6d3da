"""Every decision about a case is declared, and every declaration is complete."""

import ast
from inspect import Parameter, signature

import pytest
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from onboarding.review import case_decisions, decision_registry
from onboarding.review.decision_registry import CaseDecision
from tests.guards.tree import Module, modules
from tests.matrices.pages import PAGES, Page

DECISIONS = decision_registry.all_decisions()
ROUTES = {one.route for one in DECISIONS}
# Verbs that decide about a check or about going live, not about the case itself, on pages of
# their own. `_decided` is shared by both decisions about going live, `return_locked` by those
# that return an application.
BESIDE_A_CASE = {
    "onboarding.review.information_requests.return_locked",
    "onboarding.checks.runs.decide",
    "onboarding.checks.runs.again",
    "onboarding.checks.waivers.propose",
    "onboarding.checks.waivers.decide",
    "onboarding.review.possible_matches.decide",
    "onboarding.review.possible_matches.confirm",
    "apikeys.going_live.requests.propose",
    "apikeys.going_live.requests._decided",
}


# Incomplete declarations


def lacking(decision: CaseDecision, pages: list[Page]) -> list[str]:
    """Return what is missing or wrong in a declared decision."""
    found = [*_words(decision), *_verb(decision), *_status(decision), *_page(decision, pages)]
    if decision.instead_of and decision.instead_of not in ROUTES:
        found.append(f"stands instead of {decision.instead_of}, which is no decision")
    return [f"{decision.route} {what}" for what in found]


def _words(decision: CaseDecision) -> list[str]:
    page = decision.page
    said = {
        "label": decision.label,
        "title": decision.title,
        "heading": page.heading,
        "words": page.words,
        "button": page.button,
    }
    return [f"has no {name}" for name, text in said.items() if not text.strip()]


def _verb(decision: CaseDecision) -> list[str]:
    """The verb takes its subject, the form's fields and `by`; compare them with the form."""
    _, *taken = signature(decision.verb).parameters.values()
    takes = {one.name for one in taken}
    needs = {one.name for one in taken if one.default is Parameter.empty} - {"by"}
    fields = set(decision.form.base_fields) | ({"proof"} if decision.proves else set())
    return [
        *(f"has no field for {name} of its verb" for name in sorted(needs - fields)),
        *(f"has the field {name}, which its verb does not take" for name in sorted(fields - takes)),
        *([] if "by" in takes else ["has a verb that is not told who acts"]),
    ]


def _status(decision: CaseDecision) -> list[str]:
    unknown = sorted(set(decision.open_in) - decision.about.lifecycle.moves.keys())
    never = [] if decision.open_in else ["is open in no status"]
    return [*never, *(f"is open in {status}, which is no status" for status in unknown)]


def _page(decision: CaseDecision, pages: list[Page]) -> list[str]:
    """The route must exist with the declared permission and methods, and the template too."""
    policies = [page.required for page in pages if page.name == decision.route]
    if not policies:
        return ["has no route"]
    found = []
    if policies[0].permission != decision.permission:
        found.append("is closed otherwise than its page")
    try:
        get_template(decision.page.template)
    except TemplateDoesNotExist:
        found.append(f"has no template {decision.page.template}")
    return found


def test_every_decision_is_declared_whole():
    assert [found for decision in DECISIONS for found in lacking(decision, PAGES)] == []


def test_there_are_decisions_of_every_kind():
    assert len(DECISIONS) == 12
    assert {len(one.capacities) for one in DECISIONS} == {0, 1, 2, 3}


def test_no_two_lie_at_one_address():
    assert len({one.address for one in DECISIONS}) == len(DECISIONS)


def test_a_decision_is_registered_once():
    with pytest.raises(ValueError, match="registered twice"):
        decision_registry.register(case_decisions.HOLD)


# Undeclared decisions


def undeclared_verbs(module: Module) -> list[str]:
    """Return the verbs that record a decision on a case but are not declared."""
    place = module.path.removesuffix(".py").replace("/", ".")
    declared = {f"{one.verb.__module__}.{one.verb.__name__}" for one in DECISIONS} | BESIDE_A_CASE
    return [
        module.says(function.lineno, f"{function.name}() decides on a case and is not declared")
        for function in module.functions
        if f"{place}.{function.name}" not in declared
        and any(
            isinstance(node, ast.Call) and ast.unparse(node.func) == "case_acts.record"
            for node in ast.walk(function)
        )
    ]


# They write about a case and move nothing, in no capacity.
DECIDE_NOTHING = {"onboarding:add_note", "onboarding:assign"}


def undeclared_pages(pages: list[Page]) -> list[str]:
    """Return the case pages that accept POST but are not declared as decisions."""
    return [
        f"{page.name} changes a case and is not declared"
        for page in pages
        if "application_id" in page.parameters
        and "POST" in page.required.methods
        and page.name not in ROUTES | DECIDE_NOTHING
    ]


def test_whatever_decides_on_a_case_is_declared():
    assert [found for module in modules() for found in undeclared_verbs(module)] == []
    assert undeclared_pages(PAGES) == []
