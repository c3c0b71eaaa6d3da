"""R16 and R35, by the verbs and the pages that a person would use, and in SQL as the site's role.

Who judged is counted from the log and from what was decided, not from the rows that forbid it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from random import Random
from typing import Any, TypeVar

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from agreements.models import Decision
from console.accounts import access, members
from console.accounts.models import Membership, User
from console.accounts.roles import BUSINESS, Role
from console.audit.models import Entry
from onboarding.lifecycle import ApplicationStatus, Capacity
from onboarding.models import Check
from tests import factories
from tests.databases import empty_tables
from tests.four_eyes import cases
from tests.four_eyes.cases import DEEDS, Case, Deed
from tests.proofs import Proven, proof

T = TypeVar("T")
JUDGING = ("cleared", "held", "returned", "declined")


@pytest.fixture(scope="module")
def case(django_db_setup: None, django_db_blocker: Any) -> Iterator[Case]:
    """One case for all, committed once; whatever is tried on it is taken back."""
    with django_db_blocker.unblock():
        yield cases.build()
        empty_tables()


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def capacities_in(case: Case) -> dict[str, set[str]]:
    """Return in which capacities each person judged the case, as the log tells it."""
    found: dict[str, set[str]] = defaultdict(set)
    checks = Check.objects.filter(application=case.pack.application).values("public_id")
    subjects = [case.pack.public_id, case.pack.application.public_id]
    entries = Entry.objects.filter(subject_id__in=subjects) | Entry.objects.filter(
        subject_id__in=checks, code__in=("check.passed", "check.failed", "check.asked_again")
    )
    sent_back = set()
    for entry in entries.exclude(actor_id="").order_by("pk"):
        body = json.loads(entry.body)["body"]
        if entry.code == "pack.decided":
            found[entry.actor_id].add(body["details"]["role"])
            if body["details"]["verdict"] == "returned":
                sent_back.add((entry.actor_id, "application.returned"))
        elif _judges(entry.code, body) and (entry.actor_id, entry.code) not in sent_back:
            found[entry.actor_id].add("compliance")
    return found


def _judges(code: str, body: dict[str, Any]) -> bool:
    """Tell whether an entry is a decision of compliance; a pack sent back returns as well."""
    kind, _, to = code.partition(".")
    if kind == "application" and to == "submitted":
        return bool(body["before"].get("status") == "held")
    return kind == "check" or (kind == "application" and to in JUDGING)


def judged_twice(case: Case) -> list[str]:
    """Return the people who judged the case in two capacities, or decided twice on one pack."""
    twice = [person for person, held in capacities_in(case).items() if len(held) > 1]
    decided = Decision.objects.filter(revision__pack=case.pack).values_list("revision", "person")
    return twice + [f"{one}" for one in set(decided) if list(decided).count(one) > 1]


def judged_and_belonged(case: Case) -> list[str]:
    judges = User.objects.filter(public_id__in=capacities_in(case))
    return [str(one) for one in judges if access.has_belonged(one, case.pack.business)]


def some(trials: list[T], size: int) -> list[T]:
    """Return so many of the trials, always the same ones."""
    return Random(35).sample(trials, size)


HOW = ("both roles at once", "another role in between")
TRIALS = [*product(DEEDS, HOW, DEEDS)]


def tried(case: Case, first: Deed, how: str, second: Deed, *, renews: bool) -> list[str]:
    """Let one person do both, the second by page and by verb; return what is wrong."""
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
    decided = Decision.objects.filter(revision=case.now.revision, person=person).exists()
    return decided and second.name.startswith(("approve", "send back", "countersign"))


@proof("R16", "four eyes, all pairs of capacities", small=28, full=len(TRIALS))
def test_nobody_judges_a_case_in_two_capacities(proven: Proven, case: Case):
    count, wrong = 0, []
    for first, how, second in some(TRIALS, proven.size):
        with taken_back():
            full = proven.size == len(TRIALS)
            wrong += tried(case, first, how, second, renews=full)
            count += 2

    assert not wrong, "\n".join(wrong)
    proven.reached(f"{count:,} tries, {len(wrong)} cases with one person twice", met=count > 50)


# Joining, leaving, changing role, acting: in every order that can be.
ORDERS = ("join act", "join leave act", "join change leave act", "join change act", "act join")


def joined(case: Case, person: User, role: Role) -> bool:
    """Accept an invitation by its page."""
    owner = factories.owner_of(case.pack.business)
    invitation = members.invite(case.pack.business, email=person.email, role=role, by=owner)
    path = reverse("accounts:accept", args=[members.invitation_token(invitation)])
    return factories.signed_in(Client(), person).post(path).status_code == 302


def walked(case: Case, deed: Deed, order: str, role: Role, way: str) -> list[str]:
    """Let one person do that in this order; return what they should not have been able to."""
    person, business = cases.a_reviewer(deed.capacity), case.pack.business
    owner, done = factories.owner_of(business), []
    for step in order.split():
        if step == "join" and joined(case, person, role):
            done.append("join")
        elif step == "change":
            other = Role.DEVELOPER if role == Role.VIEWER else Role.VIEWER
            members.set_roles(business, person, [other], by=owner)
        elif step == "leave":
            members.set_roles(business, person, [], by=owner)
        elif step == "act" and getattr(deed, way)(case, person):
            done.append("act")
    said = f"{order} as {role}: {deed.name} ({way})"
    wrong = [f"{said}: both" for _ in ("both",) if done != [order.split()[0]]]
    return wrong + [f"{said}: {one} belonged" for one in judged_and_belonged(case)]


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


def refused_by(sql: str, *values: Any) -> str:
    """Return the rule by which the database refuses a statement of the site's role, or nothing."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_user")
            assert cursor.fetchone() == ("site",)
            cursor.execute(sql, values)
    except DatabaseError as error:
        return str(error.__cause__.diag.constraint_name)
    return ""


REVIEWER = (
    "INSERT INTO onboarding_reviewer (application_id, person_id, capacity, since)"
    " VALUES (%s, %s, %s, now())"
)
MEMBER = (
    "INSERT INTO accounts_membership (public_id, user_id, business_id, role, since)"
    " VALUES ('mem_x', %s, %s, 'viewer', now())"
)
DECISION = (
    "INSERT INTO agreements_decision (public_id, revision_id, role, place, verdict, person_id,"
    " note, signed_set_sha256, body, decision_sha256, at)"
    " VALUES ('apr_x', %s, %s, 1, %s, %s, '', '', '', '', now())"
)


def statements(
    case: Case, person: User, second: Capacity
) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """What a reviewer of a case could be made to be besides, and the rule that is in the way."""
    at, who, business = case.pack.application_id, person.pk, case.pack.business_id
    verdict = "countersigned" if second == Capacity.COUNTERSIGNATORY else "approved"
    yield "one_person_one_capacity_on_a_case", REVIEWER, (at, who, second)
    other = " ON CONFLICT (application_id, person_id) DO UPDATE SET capacity = excluded.capacity"
    yield "reviewers_never_change", REVIEWER + other, (at, who, second)
    change = "UPDATE onboarding_reviewer SET capacity = %s WHERE person_id = %s"
    yield "reviewers_never_change", change, (second, who)
    yield "reviewers_never_change", "DELETE FROM onboarding_reviewer WHERE person_id = %s", (who,)
    yield "a_decision_is_its_reviewers", DECISION, (case.now.revision_id, second, verdict, who)
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


def of_participants(case: Case) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """What the owner could be made to be, after they have left."""
    owner, at = factories.owner_of(case.pack.business), case.pack.application_id
    for capacity in Capacity:
        yield "a_reviewer_never_took_part", REVIEWER, (at, owner.pk, capacity)
        verdict = "countersigned" if capacity == Capacity.COUNTERSIGNATORY else "approved"
        decision = (case.now.revision_id, capacity, verdict, owner.pk)
        yield "a_decision_is_its_reviewers", DECISION, decision
    forget = "DELETE FROM accounts_participant WHERE person_id = %s"
    yield "participants_never_change", forget, (owner.pk,)
    give = "UPDATE accounts_participant SET person_id = %s"
    yield "participants_never_change", give, (factories.a_person().pk,)


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

    refused = count - len(wrong)
    figure = f"{refused} of {count} statements refused"
    proven.reached(figure, met=refused == count > 100, wrong=wrong)
