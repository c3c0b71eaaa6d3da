"""How staff learn of work: badges, the daily e-mail and immediate e-mails."""

import re
from datetime import timedelta

import time_machine
from django.core import mail as outgoing
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.allowlist import allowlist
from console.accounts import details, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import WorkMail
from console.accounts.roles import Role
from console.core import clock, schedule
from console.events import outbox
from console.events.models import Event, EventDelivery
from console.governance import digest
from console.shell import modules
from onboarding import application_progress
from onboarding.checks import runs
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.questionnaire.loading import EDITIONS
from onboarding.review import casework, decisions
from tests import factories
from tests.apikeys import world
from tests.onboarding import answered


def badges(page):
    """Return the badges of the navigation rail, by the label of the item."""
    lines = re.findall(r'</svg>([^<]+)<span class="count">([^<]+)<', page.text)
    return {name.strip(): count for name, count in lines}


def listener(name):
    for delivery in EventDelivery.objects.waiting().filter(listener__startswith="turns."):
        assert outbox.handle(delivery.pk)
    for delivery in EventDelivery.objects.waiting().filter(listener=name):
        assert outbox.handle(delivery.pk)
    return {mail.to[0]: mail for mail in outgoing.outbox}


def a_network_request():
    grant = world.a_grant()
    return allowlist.ask(
        grant, "10.0.0.0/8", reason="Our data centre.", by=factories.owner_of(grant.business)
    )


def test_badges_stand_at_every_list_that_waits_and_only_for_those_who_work_there(client):
    a_network_request()
    factories.a_pack(PackStatus.IN_APPROVAL)
    application = factories.a_reviewed_application(**answered.HIGH)
    proposal = factories.proposed(EDITIONS, EDITIONS.versions()[0])
    factories.restriction_proposed(factories.an_entry("BS", "Bahamas"))
    EventDelivery.objects.filter(pk=EventDelivery.objects.waiting().first().pk).update(
        last_error="Broken"
    )
    wanted = {
        Role.COMPLIANCE: {
            "Queue": "1",
            "Packs": "1",
            "Network requests": "1",
            "Versions in use": "1",
        },
        Role.HEAD_OF_COMPLIANCE: {
            "Queue": "1",
            "Packs": "1",
            "Network requests": "1",
            "Versions in use": "2",
        },
        Role.LEGAL: {"Packs": "1"},
        Role.ACCOUNT_MANAGER: {},
        Role.OPERATOR: {"Background work": "1"},
        Role.AUDITOR: {},
    }
    for role, badge in wanted.items():
        client = factories.signed_in(client, factories.one_of_staff(role))
        assert badges(client.get(reverse("shell:search"))) == badge, role
    assert application
    assert proposal


def test_a_badge_counts_to_a_hundred_and_no_more(client, monkeypatch):
    monkeypatch.setattr(modules, "BADGE", 3)
    factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    for number in range(4):
        factories.an_application(
            ApplicationStatus.SUBMITTED, business=factories.a_business(f"B{number}")
        )
    with CaptureQueriesContext(connection) as asked:
        page = client.get(reverse("shell:search"))
    (counted,) = [one["sql"] for one in asked.captured_queries if "UNION ALL" in one["sql"]]

    assert badges(page)["Queue"] == "2+"
    assert counted.count("LIMIT 3") == counted.count("UNION ALL") + 1


def waiting_in(message):
    """Return the lists that a daily e-mail names, with their counts."""
    return re.findall(r"(?m)^(.+): (\d+)$", message.body)


def hears_daily(*people):
    """Let people choose one e-mail a day."""
    for person in people:
        details.change(
            person, name=person.name, time_zone="UTC", wanted_mail=(), work_mail=WorkMail.DAILY,
            by=person,
        )  # fmt: skip


def test_the_daily_e_mail_lists_what_waits_for_a_persons_roles_once_a_day():
    factories.a_pack(PackStatus.IN_APPROVAL)
    factories.a_reviewed_application(**answered.HIGH)
    legal, idle = factories.one_of_staff(Role.LEGAL), factories.one_of_staff(Role.AUDITOR)
    compliance = factories.one_of_staff(Role.COMPLIANCE)
    hears_daily(legal, compliance)
    outgoing.outbox.clear()

    for _ in range(2):
        schedule.named("governance.digest").run()
    sent = listener("governance.emails")

    assert idle.email not in sent
    assert sent[legal.email].subject == "What is waiting for you"
    assert waiting_in(sent[legal.email]) == [("Packs", "1")]
    assert waiting_in(sent[compliance.email]) == [("Queue", "1"), ("Packs", "1")]
    assert reverse("agreements:packs") in sent[legal.email].body
    assert Event.objects.filter(kind="staff.digest_due", subject_id=legal.public_id).count() == 1
    with time_machine.travel(clock.now() + timedelta(days=1)):
        digest.ask_for_all(by=SYSTEM)
    assert Event.objects.filter(kind="staff.digest_due", subject_id=legal.public_id).count() == 2


def test_who_left_the_staff_gets_none():
    factories.a_pack(PackStatus.IN_APPROVAL)
    gone = factories.one_of_staff(Role.LEGAL)
    hears_daily(gone)
    digest.ask_for_all(by=SYSTEM)
    staff.take_role(gone, Role.LEGAL, by=SYSTEM)
    assert gone.email not in listener("governance.emails")


def test_reviewers_are_told_at_once_by_when_a_case_must_be_decided():
    reviewer, legal = factories.one_of_staff(Role.COMPLIANCE), factories.one_of_staff(Role.LEGAL)
    case = factories.a_reviewed_application(**answered.HIGH)
    due = application_progress.due(case)

    sent = listener("governance.turn.emails")

    assert f"needs a reviewer by {due:%-d %B %Y}" in sent[reviewer.email].subject
    assert case.case_url in sent[reviewer.email].body
    assert legal.email not in sent
    assert factories.owner_of(case.business).email not in {
        one.to[0] for one in outgoing.outbox if "needs a reviewer" in one.subject
    }


def test_they_are_told_once_for_each_submission_and_not_of_what_needs_nobody():
    factories.one_of_staff(Role.COMPLIANCE)
    factories.a_reviewed_application()
    needed = Event.objects.filter(kind="application.reviewer_needed")
    assert needed.count() == 0
    case = factories.a_reviewed_application(**answered.LISTED)
    check = case.checks.filter(status="needs_review")[0]
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    runs.decide(check, passed=False, reason="A match.", by=reviewer)
    factories.settle_reviews()
    assert needed.count() == 1

    decisions.return_for_changes(case, note="Again.", by=reviewer)
    applications.submit(factories.fresh(case), declared=True, by=factories.owner_of(case.business))
    factories.settle_reviews()
    assert needed.count() == 2


def test_the_owner_of_a_case_alone_is_told():
    first, owner = (factories.one_of_staff(Role.COMPLIANCE) for _ in range(2))
    case = factories.an_application(ApplicationStatus.SUBMITTED, business=None, **answered.HIGH)
    casework.assign(case, owner, by=first)
    factories.settle_reviews()
    sent = listener("governance.turn.emails")
    assert owner.email in sent
    assert first.email not in sent
