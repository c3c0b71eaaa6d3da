"""R16 and R35 after execution: going live, waivers, and staff decisions about products."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from console.accounts.models import User
from console.accounts.roles import BUSINESS, Role
from onboarding.lifecycle import Capacity
from tests import factories
from tests.databases import empty_tables, refused_by
from tests.four_eyes import cases, live_cases
from tests.four_eyes.cases import DECIDE_WAIVER, HELD_BY, Case, Deed
from tests.four_eyes.live_cases import JUDGEMENTS, OF_PRODUCTS
from tests.four_eyes.trials import (
    MEMBER,
    ORDERS,
    REVIEWER,
    joined,
    judged_twice,
    some,
    taken_back,
    walked,
)
from tests.proofs import Proven, proof

CONFIRM = Deed(
    "confirm live", Capacity.ACCOUNT_MANAGER, live_cases.approved,
    live_cases.confirm_by_verb, live_cases.confirm_page,
)  # fmt: skip


@pytest.fixture(scope="module")
def case(django_db_setup: None, django_db_blocker: Any) -> Iterator[Case]:
    """Commit one executed case for all tests; each trial on it is rolled back."""
    with django_db_blocker.unblock():
        yield live_cases.build()
        empty_tables()


# Pairs: a capacity from before execution, or one of the judgements; then one of the judgements.
BEFORE = [one for one in HELD_BY if one != Capacity.ACCOUNT_MANAGER]
HOW = ("both roles at once", "another role in between")
TRIALS = [*product([*BEFORE, *JUDGEMENTS], HOW, JUDGEMENTS)]


def judge(case: Case, first: Capacity | Deed, how: str, second: Deed) -> User:
    """Return a person who judged the case and now has the role for the second deed."""
    if isinstance(first, Deed):
        person = cases.a_reviewer(first.capacity)
        assert cases.make_ready(first, case)
        assert first.by_verb(case, person), f"nobody can {first.name}"
        held = first.capacity
    else:
        person, held = live_cases.judges_before(case)[first], first
    cases.changed_to(person, second.capacity)
    if how == HOW[0] and held != second.capacity:
        cases.given(person, held)
    return person


def tried(case: Case, first: Capacity | Deed, how: str, second: Deed) -> list[str]:
    """Let one person do both deeds, the second by page and by verb; return the failures."""
    person = judge(case, first, how, second)
    assert cases.make_ready(second, case), second.name
    capacity, name = (
        (first.capacity, first.name) if isinstance(first, Deed) else (first, f"judge as {first}")
    )
    may = capacity == second.capacity
    if second.name == DECIDE_WAIVER:
        may = may and not case.check.waivers.waiting().filter(proposed_by=person).exists()
    wrong = []
    for way in (second.by_page, second.by_verb):
        with taken_back():
            done = way(case, person)
            said = f"{name}, then {second.name} ({how}, {way.__name__})"
            if done != may:
                wrong.append(f"{said}: {'done' if done else 'refused for nothing'}")
            wrong += [f"{said}: {one} judged twice" for one in judged_twice(case)]
    return wrong


@proof("R16", "four eyes after execution, all pairs of capacities", small=16, full=len(TRIALS))
def test_nobody_judges_an_executed_case_in_two_capacities(proven: Proven, case: Case):
    count, wrong = 0, list[str]()
    for first, how, second in some(TRIALS, proven.size):
        with taken_back():
            wrong += tried(case, first, how, second)
            count += 2
    figure = f"{count:,} tries, {len(wrong)} of them wrong"
    proven.reached(figure, met=not wrong and count >= 32, wrong=wrong)


def confirmed_by_our_own(case: Case, role: Role, person: User) -> list[str]:
    """Let a person who judged the case try to join and to confirm; return what succeeded."""
    wrong = [f"{person} joined as {role}"] if joined(case, person, role) else []
    assert cases.make_ready(CONFIRM, case)
    for way in (CONFIRM.by_page, CONFIRM.by_verb):
        with taken_back():
            way(case, person)
            if live_cases.newest(case).confirmed_at is not None:
                wrong.append(f"{person} confirmed, invited as {role}")
    return wrong


WALKS = [*product([*JUDGEMENTS, *OF_PRODUCTS], ORDERS, BUSINESS, ("by_page", "by_verb"))]


@proof("R35", "walking around four eyes after execution", small=24, full=len(WALKS))
def test_nobody_judges_an_executed_case_of_their_own(proven: Proven, case: Case):
    count, wrong = 0, list[str]()
    for deed, order, role, way in some(WALKS, proven.size):
        with taken_back():
            assert cases.make_ready(deed, case)
            wrong += walked(case, deed, order, role, way)
            count += 1
    for deed, role in some([*product(JUDGEMENTS, BUSINESS)], 5):
        with taken_back():
            assert cases.make_ready(deed, case)
            person = cases.a_reviewer(deed.capacity)
            assert deed.by_verb(case, person)
            wrong += confirmed_by_our_own(case, role, person)
            count += 1
    figure = f"{count:,} walks, {len(wrong)} of them wrong"
    proven.reached(figure, met=not wrong and count >= 29, wrong=wrong)


WAIVER = (
    "INSERT INTO onboarding_checkwaiver (public_id, waived_check_id, reason, ends_at,"
    " proposed_by_id, proposed_at, decision_reason)"
    " VALUES ('wav_x', %s, 'x', now() + interval '1 day', %s, now(), '')"
)
DECIDE = (
    "UPDATE onboarding_checkwaiver SET confirmed = true, decided_by_id = %s, decided_at = now(),"
    " decision_reason = 'x' WHERE waived_check_id = %s"
)
PROPOSE_LIVE = (
    "UPDATE going_live_goliverequest SET proposed_by_id = %s, proposed_at = now(), proposal = 'x'"
    " WHERE id = %s"
)
DECIDE_LIVE = (
    "UPDATE going_live_goliverequest SET status = 'approved', decided_by_id = %s,"
    " decided_at = now(), decision_reason = 'x' WHERE id = %s"
)
CONFIRM_LIVE = (
    "UPDATE going_live_goliverequest SET confirmed_by_id = %s, confirmed_at = now() WHERE id = %s"
)
BY_HAND = (
    "UPDATE catalogue_modulesetting SET hand = 'off', hand_by_id = %s, hand_at = now(),"
    " hand_reason = 'x' WHERE business_id = %s"
)
WITHDRAW = (
    "UPDATE catalogue_businessproduct SET status = 'withdrawn', by_id = %s, reason = 'x'"
    " WHERE business_id = %s AND product = 'customers'"
)
# The deed to prepare, the statement, the names of its values, and the rule that refuses it.
Statement = tuple[Deed, str, tuple[str, ...], str]
PROPOSE, APPROVE, _, WAIVE, DECIDE_IT = JUDGEMENTS
OF_LIVE, OF_WAIVERS = "going_live_is_by_its_people", "a_waiver_is_by_reviewers_of_its_case"
JUDGING: tuple[Statement, ...] = (
    (PROPOSE, PROPOSE_LIVE, ("person", "request"), OF_LIVE),
    (APPROVE, DECIDE_LIVE, ("person", "request"), OF_LIVE),
    (WAIVE, WAIVER, ("check", "person"), OF_WAIVERS),
    (DECIDE_IT, DECIDE, ("person", "check"), OF_WAIVERS),
)
JOINING: tuple[Statement, ...] = (
    (CONFIRM, CONFIRM_LIVE, ("person", "request"), OF_LIVE),
    (CONFIRM, MEMBER, ("person", "business"), "a_participant_never_reviewed"),
)
DECIDING: tuple[Statement, ...] = (
    (OF_PRODUCTS[0], BY_HAND, ("person", "business"), "a_module_is_set_by_an_outsider"),
    (OF_PRODUCTS[2], WITHDRAW, ("person", "business"), "a_product_is_decided_by_an_outsider"),
)


def let_through(case: Case, person: User, statement: Statement) -> str:
    """Try a statement as the site's role; return "" if the expected rule refuses it."""
    deed, sql, names, rule = statement
    with taken_back():
        assert cases.make_ready(deed, case)
        known = {
            "person": person.pk,
            "business": case.pack.business_id,
            "check": case.check.pk,
        }
        if "request" in names:
            known["request"] = live_cases.newest(case).pk
        said = refused_by(sql, *(known[name] for name in names))
    return "" if said == rule else f"{sql}: {said or 'done'}"


@proof("R35", "walking around four eyes after execution, in SQL as the site's role")
def test_the_database_refuses_it_after_execution_too(proven: Proven, case: Case):
    tries, owner = [], factories.owner_of(case.pack.business)
    for capacity in Capacity:
        with taken_back():
            person = factories.a_person()
            assert not refused_by(REVIEWER, case.pack.application_id, person.pk, capacity)
            judging = [one for one in JUDGING if one[0].capacity != capacity]
            tries += [let_through(case, person, one) for one in (*judging, *JOINING)]
    tries += [let_through(case, owner, one) for one in (*JUDGING, *DECIDING)]
    wrong = [one for one in tries if one]
    figure = f"{len(tries) - len(wrong)} of {len(tries)} statements refused"
    proven.reached(figure, met=not wrong and len(tries) >= 30, wrong=wrong)
