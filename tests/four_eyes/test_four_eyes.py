"""R16 and R35, by the verbs and pages that people use, and in SQL as the site's role."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.urls import resolve

from agreements.models import Decision
from console.accounts.models import Membership, User
from console.accounts.roles import BUSINESS
from onboarding.lifecycle import ACTS, ApplicationStatus, Capacity
from onboarding.models import Reviewer
from onboarding.review import decision_registry
from tests import factories
from tests.databases import NO_PRIVILEGE, empty_tables, refused_by
from tests.four_eyes import cases
from tests.four_eyes.cases import DEEDS, WAIVING, Case, Deed
from tests.four_eyes.raw_statements import of_the_case
from tests.four_eyes.trials import (
    MEMBER,
    ORDERS,
    REVIEWER,
    judged_twice,
    some,
    taken_back,
    walked,
)
from tests.proofs import Proven, proof


@pytest.fixture(scope="module")
def case(django_db_setup: None, django_db_blocker: Any) -> Iterator[Case]:
    """Commit one case for all tests; each trial on it is rolled back."""
    with django_db_blocker.unblock(), factories.few_documents():
        yield cases.build()
        empty_tables()


def test_every_decision_in_a_capacity_is_tried(case: Case):
    tried = {resolve(deed.page(case)[0]).view_name for deed in DEEDS}
    declared = {one.route for one in decision_registry.all_decisions() if one.capacities}
    assert declared - tried == set()


HOW = ("both roles at once", "another role in between")
PAIRS = [*product(DEEDS, HOW, DEEDS)]
OF_WAIVERS = [*product(DEEDS, HOW, WAIVING), *product(WAIVING, HOW, (*DEEDS, *WAIVING))]
TRIALS = [*PAIRS, *OF_WAIVERS]


def tried(case: Case, first: Deed, how: str, second: Deed, *, renews: bool) -> list[str]:
    """Let one person do both deeds, the second by page and by verb; return the failures."""
    held = {first.capacity, second.capacity} if how == HOW[0] else {first.capacity}
    person = cases.a_reviewer(*held)
    assert cases.make_ready(first, case)
    assert first.by_verb(case, person), f"nobody can {first.name}"
    if cases.needs_rendering(case) and renews:
        cases.renewed(case)
    if how == HOW[1]:
        cases.changed_to(person, second.capacity)
    over = (ApplicationStatus.RETURNED, ApplicationStatus.DECLINED)
    may = cases.make_ready(second, case) and case.application.status not in over
    may = may and first.capacity == second.capacity and not _decides_again(case, person, second)
    wrong = []
    for way in (second.by_page, second.by_verb):
        with taken_back():
            done = way(case, person)
            said = f"{first.name}, then {second.name} ({how}, {way.__name__})"
            if done and first.capacity != second.capacity:
                wrong.append(f"{said}: done")
            if may and not done:
                wrong.append(f"{said}: refused for nothing")
            wrong += [f"{said}: {one} judged twice" for one in judged_twice(case)]
    return wrong


def _decides_again(case: Case, person: User, second: Deed) -> bool:
    if second.name == cases.DECIDE_WAIVER:
        return case.check.waivers.waiting().filter(proposed_by=person).exists()
    decided = Decision.objects.filter(revision=case.now.revision, person=person).exists()
    return decided and second.name.startswith(("approve", "send back", "countersign"))


@proof("R16", "four eyes, all pairs of capacities", small=26, full=len(TRIALS))
def test_nobody_judges_a_case_in_two_capacities(proven: Proven, case: Case):
    count, wrong = 0, []
    full = proven.size == len(TRIALS)
    few = [*some(PAIRS, proven.size - 6), *some(OF_WAIVERS, 6)] if not full else TRIALS
    for first, how, second in few:
        with taken_back():
            wrong += tried(case, first, how, second, renews=full)
            count += 2

    assert not wrong, "\n".join(wrong)
    proven.reached(f"{count:,} tries, {len(wrong)} cases with one person twice", met=count > 50)


WALKS = [*product(DEEDS, ORDERS, BUSINESS, ("by_page", "by_verb"))]


@proof("R35", "walking around four eyes, by pages and verbs", small=40, full=len(WALKS))
def test_nobody_judges_a_business_that_they_ever_belonged_to(proven: Proven, case: Case):
    count, wrong = 0, []
    for deed, order, role, way in some(WALKS, proven.size):
        with taken_back():
            assert cases.make_ready(deed, case)
            wrong += walked(case, deed, order, role, way)
            count += 1

    assert not wrong, "\n".join(wrong)
    proven.reached(f"{count:,} walks, {len(wrong)} by who ever belonged", met=count >= 40)


DECISION = (
    "INSERT INTO agreements_decision (public_id, revision_id, role, place, verdict, person_id,"
    " note, signed_set_sha256, body, decision_sha256, at)"
    " VALUES ('apr_x', %s, %s, 1, %s, %s, '', '', '', '', now())"
)


ACT = (
    "INSERT INTO onboarding_caseact (reviewer_id, kind, outcome, note, at)"
    " SELECT id, %s, '', '', now() FROM onboarding_reviewer WHERE person_id = %s"
)


# Foreign keys are checked at the end of a transaction, so two rows could swap their keys in one.
KEY = "UPDATE {} SET id = -id WHERE id = %s"


def other_keys(case: Case, who: int) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield statements that change the key of a person, case, business, pack or check."""
    pack = case.pack
    yield "a_person_is_one_person", KEY.format("accounts_user"), (who,)
    of_case = KEY.format("onboarding_application"), (pack.application_id,)
    yield "an_application_is_of_one_business", *of_case
    yield "a_business_is_one_business", KEY.format("accounts_business"), (pack.business_id,)
    yield "what_was_sealed_never_changes", KEY.format("agreements_pack"), (pack.pk,)
    yield "a_check_is_of_one_case", KEY.format("onboarding_check"), (case.check.pk,)


def statements(
    case: Case, person: User, second: Capacity
) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield statements that would give a reviewer another part in the case, with their rules."""
    at, who, business = case.pack.application_id, person.pk, case.pack.business_id
    verdict = "countersigned" if second == Capacity.COUNTERSIGNATORY else "approved"
    yield "one_person_one_capacity_on_a_case", REVIEWER, (at, who, second)
    other = " ON CONFLICT (application_id, person_id) DO UPDATE SET capacity = excluded.capacity"
    yield "reviewers_never_change", REVIEWER + other, (at, who, second)
    change = "UPDATE onboarding_reviewer SET capacity = %s WHERE person_id = %s"
    yield "reviewers_never_change", change, (second, who)
    yield NO_PRIVILEGE, "DELETE FROM onboarding_reviewer WHERE person_id = %s", (who,)
    yield "a_decision_is_its_reviewers", DECISION, (case.now.revision_id, second, verdict, who)
    first = Reviewer.objects.get(application=at, person=person).capacity
    for kind in sorted(ACTS[second] - ACTS[Capacity(first)]):
        yield "an_act_is_of_its_capacity", ACT, (kind, who)
    if second == Capacity.COMPLIANCE:
        decide = (
            "UPDATE onboarding_check SET decided_by_id = %s, decided_at = now(), reason = 'x'"
            " WHERE id = %s"
        )
        yield "a_check_is_decided_by_its_reviewer", decide, (who, case.check.pk)
    yield "a_participant_never_reviewed", MEMBER, (who, business)
    move = "UPDATE accounts_membership SET user_id = %s WHERE business_id = %s"
    yield "a_participant_never_reviewed", move, (who, business)
    answer = (
        "INSERT INTO onboarding_answer"
        " (application_id, section, question, revision, page, sequence, by_id, at)"
        " VALUES (%s, 'x', 'x', 99, '', 0, %s, now())"
    )
    yield "a_participant_never_reviewed", answer, (at, who)
    submission = (
        "INSERT INTO onboarding_submission (public_id, application_id, number, edition, body,"
        " submission_sha256, left_out, restricted_list, declaration, submitted_by_id, submitted_at)"
        " VALUES ('sub_x', %s, 99, '', '', '', '[]', '', '', %s, now())"
    )
    yield "a_participant_never_reviewed", submission, (at, who)
    signature = (
        "INSERT INTO agreements_signatureact (public_id, revision_id, person_id, offer_sha256,"
        " statement, body, act_sha256, at) VALUES ('act_x', %s, %s, '', '', '', '', now())"
    )
    yield "a_participant_never_reviewed", signature, (case.now.revision_id, who)
    yield from other_keys(case, who)


def of_participants(case: Case) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield statements that would make the owner, after leaving, a reviewer or no participant."""
    owner, at = factories.owner_of(case.pack.business), case.pack.application_id
    for capacity in Capacity:
        yield "a_reviewer_never_took_part", REVIEWER, (at, owner.pk, capacity)
        verdict = "countersigned" if capacity == Capacity.COUNTERSIGNATORY else "approved"
        decision = (case.now.revision_id, capacity, verdict, owner.pk)
        yield "a_decision_is_its_reviewers", DECISION, decision
    forget = "DELETE FROM accounts_participant WHERE person_id = %s"
    yield NO_PRIVILEGE, forget, (owner.pk,)
    give = "UPDATE accounts_participant SET person_id = %s"
    yield "participants_never_change", give, (factories.a_person().pk,)
    elsewhere = "UPDATE onboarding_application SET business_id = %s WHERE id = %s"
    yield "an_application_is_of_one_business", elsewhere, (factories.a_business().pk, at)
    of_another = "UPDATE onboarding_check SET application_id = %s WHERE id = %s"
    yield "a_check_is_of_one_case", of_another, (at + 1, case.check.pk)
    yield from other_keys(case, owner.pk)
    for table, key in (
        ("onboarding_application", at),
        ("onboarding_check", case.check.pk),
        ("accounts_business", case.pack.business_id),
        ("agreements_pack", case.pack.pk),
    ):
        yield NO_PRIVILEGE, f"DELETE FROM {table} WHERE id = %s", (key,)


@proof("R35", "walking around four eyes, in SQL as the site's role")
def test_the_database_refuses_it_too(proven: Proven, case: Case):
    count, wrong = 0, list[str]()
    for first, second in product(Capacity, Capacity):
        with taken_back():
            person = factories.a_person()
            assert not refused_by(REVIEWER, case.pack.application_id, person.pk, first)
            for rule, sql, values in statements(case, person, second):
                if first == second and rule.startswith(("a_decision", "a_check")):
                    continue
                count, said = count + 1, refused_by(sql, *values)
                wrong += [f"{first}, {second}: {sql}: {said}"] if said != rule else []
    with taken_back():
        found = [*of_participants(case)]
        Membership.objects.filter(business=case.pack.business).delete()
        for rule, sql, values in found:
            count, said = count + 1, refused_by(sql, *values)
            wrong += [f"participant: {sql}: {said}"] if said != rule else []

    with taken_back():
        for rule, sql, values in of_the_case(case):
            count, said = count + 1, refused_by(sql, *values)
            wrong += [f"case: {sql} {values}: {said}"] if said != rule else []

    refused = count - len(wrong)
    figure = f"{refused} of {count} statements refused"
    proven.reached(figure, met=refused == count > 100, wrong=wrong)
