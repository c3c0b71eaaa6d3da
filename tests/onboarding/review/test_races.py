"""Concurrent decisions: row locks let each take effect only once."""

import re
from collections import Counter

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from console.accounts import access, members
from console.accounts.roles import Role
from console.audit import log as audit
from console.core.refusals import NotAllowed, Refused
from console.events.models import Event
from onboarding import case_acts
from onboarding.intake import answers, applications
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ACTS, ApplicationStatus, Capacity
from onboarding.models import (
    Answer,
    Application,
    Assessment,
    CaseAct,
    Check,
    Reviewer,
    Submission,
)
from onboarding.review import decisions, event_handlers
from tests import factories, waiting
from tests.onboarding import answered
from tests.onboarding.review.test_reviews import CHECKS

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(times, act):
    def alone(number):
        try:
            return act(number)
        except Refused as refusal:
            return refusal.code

    return waiting.at_once(times, alone)


def test_two_tabs_save_the_same_section_and_neither_is_lost():
    application = factories.an_application()
    owner = factories.owner_of(application.business)
    models = ["t1", "weekly", "prefunded", "t3"]

    def save(number):
        typed = {"se_model": models[number]}
        saving = answers.save_section(application, "settlement", typed, page=OpenPage(0), by=owner)
        return "kept" if not saving.conflicts else saving.conflicts["se_model"].value

    said = at_once(4, save)

    kept = Answer.objects.get(question="se_model").value
    assert Counter(said) == Counter(["kept", kept, kept, kept])


def test_submitting_at_once_happens_once():
    application = factories.an_application("answered")
    owner = factories.owner_of(application.business)

    def submit(_):
        applications.submit(application, declared=True, by=owner)
        return "ok"

    said = at_once(4, submit)

    assert sorted(said) == ["ok", *["wrong_status"] * 3]
    assert Submission.objects.count() == 1
    assert Event.objects.filter(kind="application.submitted").count() == 1


def test_starting_at_once_opens_one():
    business = factories.a_business()
    owner = factories.owner_of(business)

    def start(_):
        applications.start(business, by=owner)
        return "ok"

    said = at_once(4, start)

    assert sorted(said) == [*["already_open"] * 3, "ok"]
    assert Application.objects.count() == 1


def test_two_workers_on_one_submission_do_it_once():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    event = Event.objects.get(kind="application.submitted")

    at_once(3, lambda _: event_handlers.on_submitted(event))

    assert factories.fresh(application).status == ApplicationStatus.CLEARED
    assert Check.objects.count() == len(CHECKS)
    assert Assessment.objects.count() >= 1
    assert Event.objects.filter(kind="application.cleared").count() == 1


def test_a_check_is_locked_after_its_application():
    factories.a_reviewed_application()
    check = Check.objects.earliest("pk")

    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        Check.objects.locked(check)

    locks = [one["sql"] for one in queries if "FOR NO KEY UPDATE" in one["sql"]]
    tables = [re.findall(r'FROM "(\w+)"', sql)[0] for sql in locks]
    assert tables == ["onboarding_application", "onboarding_check"]


def test_withdrawing_while_it_is_cleared_ends_one_way():
    application = factories.a_reviewed_application(**answered.HIGH)
    owner = factories.owner_of(application.business)
    compliance = factories.one_of_staff(Role.COMPLIANCE)
    acts = [
        lambda: decisions.decline(application, note="No.", by=compliance),
        lambda: applications.withdraw(application, by=owner),
    ]

    def act(number):
        acts[number]()
        return "ok"

    assert sorted(at_once(2, act)) == ["ok", "wrong_status"]


def test_two_presses_of_one_person_in_two_capacities_leave_one():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    person, capacities = factories.a_person(), list(Capacity)

    def act(number):
        with transaction.atomic():
            capacity = capacities[number]
            kind = min(ACTS[capacity])
            case_acts.record(application, kind, capacity=capacity, by=person)
            audit.record("application.changed", application, by=person)
        return "recorded"

    said = at_once(4, act)

    assert sorted(said) == [*["other_capacity"] * 3, "recorded"]
    assert Reviewer.objects.count() == CaseAct.objects.count() == 1


def test_who_joins_and_judges_in_the_same_moment_does_one():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    business, person = application.business, factories.one_of_staff(Role.COMPLIANCE)
    owner = factories.owner_of(business)
    invitation = members.invite(business, email=person.email, role=Role.VIEWER, by=owner)
    token = members.invitation_token(invitation)

    def either(number):
        if number % 2:
            members.accept(token, by=person)
        else:
            decisions.hold(application, note="Wait.", by=person)
        return "done"

    said = at_once(2, either)

    assert sorted(said) == ["done", "not_allowed"]
    assert access.has_belonged(person, business) != Reviewer.objects.exists()


def test_who_is_invited_may_judge_and_then_not_join():
    """Otherwise a business could exclude reviewers by inviting them."""
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    business, person = application.business, factories.one_of_staff(Role.COMPLIANCE)
    owner = factories.owner_of(business)
    invitation = members.invite(business, email=person.email, role=Role.VIEWER, by=owner)

    decisions.hold(application, note="Wait.", by=person)

    with pytest.raises(NotAllowed, match="You reviewed an application of this business"):
        members.accept(members.invitation_token(invitation), by=person)
