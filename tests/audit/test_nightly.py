"""Every night: the head is published and sent, the chain is compared, and a break is told."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse

from console import celery
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import heads
from console.audit.models import ChainCheck
from console.core import clock, schedule
from console.governance import log_checks
from tests import factories
from tests.audit.test_heads import CUT, GONE
from tests.audit.test_log import tamper, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def auditor(settings, tmp_path):
    """Who is told, in a console with a data folder of its own."""
    settings.DATA_DIR = tmp_path
    return factories.one_of_staff(Role.AUDITOR)


def told(person):
    return [(one.subject, one.body) for one in mail.outbox if one.to == [person.email]]


def night():
    """Run what beat wakes tonight."""
    for job in schedule.jobs():
        if job.nightly and job.name.startswith("audit."):
            job.run()
    factories.settle()


def test_both_are_jobs_of_the_night():
    names = {"audit.publish_head", "audit.check_chain"}
    assert names <= {job.name for job in schedule.jobs() if job.nightly}
    assert names <= celery.entries().keys()


def test_the_head_goes_to_the_auditors_and_to_nobody_else(auditor):
    write(2)
    factories.one_of_staff(Role.COMPLIANCE)
    factories.settle()
    mail.outbox.clear()
    end = heads.anchor()
    night()

    ((subject, body),) = told(auditor)
    assert f"{end.count} entries" in subject
    assert end.hash in body
    assert len(mail.outbox) == 1


def test_being_woken_again_publishes_nothing_and_checks_nothing(auditor):
    night()
    write(1)
    night()
    assert heads.published().count() == ChainCheck.objects.count() == 1
    assert sum("entries" in subject for subject, _ in told(auditor)) == 1
    with time_machine.travel(clock.now() + timedelta(days=1)):
        night()
    assert heads.published().count() == ChainCheck.objects.count() == 2


def test_a_check_that_claims_a_time_to_come_puts_off_no_other(auditor):
    later = clock.now() + timedelta(days=365)
    ChainCheck.objects.create(at=later, entries=0, heads=0, found=0, findings=[])
    night()
    assert ChainCheck.objects.exclude(at=later).count() == 1
    assert heads.last_check().at < later


@pytest.mark.parametrize("attack", ["the rows stay", "the rows go"])
def test_a_cut_tail_is_told_by_e_mail_and_on_background_work(auditor, attack):
    with time_machine.travel(clock.now() - timedelta(days=1)):
        write(5)
        night()
    operator = factories.signed_in(Client(), factories.one_of_staff(Role.OPERATOR))
    assert "does not agree" not in operator.get(reverse("governance:work")).text
    tamper(*CUT, *([GONE] if attack == "the rows go" else []))
    night()

    _, body = next(one for one in told(auditor) if "does not agree" in one[0])
    assert "published entries are gone" in body
    shown = operator.get(reverse("governance:work")).text
    assert "The audit log does not agree with what was published" in shown
    assert "published entries are gone" in shown


def test_a_night_that_is_missed_is_told_once_it_is_a_habit(auditor):
    night()
    assert log_checks.concerns() == []
    with time_machine.travel(clock.now() + timedelta(hours=30)):
        assert log_checks.concerns() == []
    with time_machine.travel(clock.now() + timedelta(hours=60)):
        unchecked, unpublished = log_checks.concerns()
    assert "was not checked since" in unchecked
    assert "Nobody was told where the audit log ends since" in unpublished


def test_a_night_that_nobody_is_told_of_is_told(auditor):
    night()
    staff.take_role(auditor, Role.AUDITOR, by=SYSTEM)
    assert log_checks.concerns() == [
        "Nobody is an auditor, so nobody is told where the audit log ends."
    ]


@pytest.mark.parametrize(("about", "hours"), [("2999-01-01", 0), ("AGR-2026-000001", 48)])
def test_a_head_of_a_time_to_come_is_found(auditor, about, hours):
    """Whoever has the site's role could keep a night's own head from being published."""
    at = clock.now() + timedelta(hours=hours)
    channel = heads.Channel.BUNDLE if about.startswith("AGR") else heads.Channel.NIGHTLY
    heads.publish(channel, about=about, at=at, by=SYSTEM)
    night()
    (said,) = log_checks.concerns()
    assert "1 of the published heads claim a time to come" in said


def test_a_new_console_has_nothing_to_tell():
    assert log_checks.concerns() == []


def test_everybody_may_read_what_was_published(auditor):
    page = Client().get(reverse("governance:heads"))
    assert reverse("governance:heads").startswith(reverse("agreements:verify"))
    assert "Nothing is published yet" in page.text
    write(3)
    night()
    (head,) = heads.published()
    page = Client().get(reverse("governance:heads"))
    assert head.hash[:8] in page.text
    told = json.loads(Client().get(reverse("governance:heads"), {"as": "json"}).content)
    assert told == {
        "heads": [
            {
                "chain": "main",
                "count": head.count,
                "hash": head.hash,
                "at": clock.iso(head.at),
            }
        ],
        "page": 1,
        "pages": 1,
    }
