"""Nightly jobs: the head is published and sent, the chain is compared, and breaks are reported."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.core import mail
from django.db import IntegrityError, connection
from django.test import Client
from django.urls import reverse

from console import celery
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import chain_checks, heads
from console.audit.models import ChainCheck
from console.core import clock, schedule
from console.events import jobs
from console.governance import log_checks
from tests import factories
from tests.audit.test_heads import CUT, GONE
from tests.audit.test_log import tamper, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def auditor(settings, tmp_path):
    """The recipients, in a console with its own document store."""
    settings.MEDIA_ROOT = tmp_path
    return factories.one_of_staff(Role.AUDITOR)


def told(person):
    return [(one.subject, one.body) for one in mail.outbox if one.to == [person.email]]


def night():
    """Run tonight's scheduled jobs."""
    for job in schedule.jobs():
        if job.nightly and job.name.startswith("audit."):
            jobs.run(job)
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
    assert f"Time (UTC): {heads.published().get().at:%Y-%m-%d %H:%M:%S}\n" in body
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
    assert chain_checks.last().at < later


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
    assert log_checks.chain_state().words == "The chain is broken"
    shown = operator.get(reverse("governance:work")).text
    assert "does not agree" in shown
    assert "published entries are gone" in shown


def test_a_badge_says_that_the_chain_is_intact_and_since_when(auditor, client):
    factories.signed_in(client, auditor)
    assert "The chain is not verified yet" in client.get(reverse("api:staff_home")).text
    night()
    for name in ("api:staff_home", "governance:log"):
        page = client.get(reverse(name)).text
        assert "The chain is intact" in page
        assert "Verified <time" in page
    with time_machine.travel(clock.now() + timedelta(hours=60)):
        assert log_checks.chain_state().words == "The chain was not verified lately"


def test_a_night_that_is_missed_is_told_once_it_is_a_habit(auditor):
    night()
    assert log_checks.concerns() == []
    with time_machine.travel(clock.now() + timedelta(hours=30)):
        assert log_checks.concerns() == []
    with time_machine.travel(clock.now() + timedelta(hours=60)):
        unchecked, unpublished = log_checks.concerns()
    assert "was not checked since" in unchecked
    assert "not published a head of the audit log since" in unpublished


def test_a_night_that_nobody_is_told_of_is_told(auditor):
    night()
    staff.take_role(auditor, Role.AUDITOR, by=SYSTEM)
    assert log_checks.concerns() == [
        "Nobody is an auditor, so nobody gets the published heads of the audit log."
    ]


# Meaningless rows inserted by the site's role


CLEAN_CHECK = """
INSERT INTO audit_chain_check (public_id, at, entries, heads, found, findings)
VALUES ('chc_forged' || random(), now() + %s, 5, 1, 0, '[]')
"""
HEAD = """
INSERT INTO audit_published_head (public_id, chain, count, hash, at, channel, about)
SELECT 'hed_forged', %s, count, hash, at, %s, %s FROM audit_published_head LIMIT 1
"""


def as_site(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.fixture
def cut(auditor):
    """A log that was published yesterday and truncated since."""
    with time_machine.travel(clock.now() - timedelta(days=1)):
        write(5)
        night()
    tamper(*CUT)


def test_a_clean_check_of_today_keeps_no_night_from_checking(cut, auditor):
    as_site(CLEAN_CHECK, timedelta(seconds=-1))
    as_site("UPDATE events_nightlyrun SET ended_at = now()")
    night()
    (_, body) = next(one for one in told(auditor) if "does not agree" in one[0])
    assert "published entries are gone" in body
    assert "1 checks of the log are not in audit/checks" in body
    assert "does not agree" in log_checks.concerns()[0]


def test_a_clean_check_after_a_finding_takes_it_from_no_page(cut, auditor):
    night()
    as_site(CLEAN_CHECK, timedelta())
    assert "does not agree" in log_checks.concerns()[0]
    assert log_checks.health().outcome.endswith("findings.")


def test_a_finding_stays_in_sight_for_a_week(cut, auditor):
    night()
    ChainCheck.objects.get(found__gt=0)
    with time_machine.travel(clock.now() + timedelta(days=1)):
        heads.keep_check(heads.Comparison(5, 1, []))
        assert "does not agree" in log_checks.concerns()[0]
    with time_machine.travel(clock.now() + timedelta(days=8)):
        assert not any("does not agree" in one for one in log_checks.concerns())


def test_a_copied_head_of_today_keeps_no_night_from_publishing(auditor):
    with time_machine.travel(clock.now() - timedelta(days=1)):
        write(5)
        night()
    today = clock.now().date().isoformat()
    as_site(HEAD, "main", "nightly", today)
    mail.outbox.clear()
    night()
    assert sum("entries" in subject for subject, _ in told(auditor)) == 1
    assert heads.RECORDS.all()[0][-1]["about"] == today
    (said,) = [one for one in log_checks.concerns() if "does not agree" in one]
    assert "1 published heads are not in audit/heads" in said


def test_a_head_for_the_next_pack_keeps_its_own_from_nothing(auditor):
    write(5)
    night()
    as_site(HEAD, "main", "bundle", "AGR-2026-000007")
    write(1)
    end = heads.anchor()
    row = heads.publish(heads.Channel.BUNDLE, about="AGR-2026-000007", by=SYSTEM, head=end)
    assert (row.count, row.hash) == (end.count, end.hash)
    assert end.hash in {said["hash"] for said in heads.RECORDS.all()[0]}
    assert (
        heads.publish(heads.Channel.BUNDLE, about="AGR-2026-000007", by=SYSTEM, head=heads.anchor())
        == row
    )
    assert [str(one) for one in heads.known().findings] == [
        "1 published heads are not in audit/heads"
    ]


def test_a_head_of_another_chain_is_refused(auditor):
    night()
    with pytest.raises(IntegrityError, match=r"heads_are_of_one_chain|never ended there"):
        as_site(HEAD, "x", "nightly", "2026-11-20")
    with pytest.raises(IntegrityError, match="heads_are_of_one_chain"):
        as_site(
            "INSERT INTO audit_published_head (public_id, chain, count, hash, at, channel, about) "
            "VALUES ('hed_x', 'x', 0, repeat('0', 64), now(), 'nightly', '2026-11-20')"
        )


@pytest.mark.parametrize(("about", "hours"), [("2999-01-01", 0), ("AGR-2026-000001", 48)])
def test_a_head_of_a_time_to_come_is_found(auditor, about, hours):
    """The site's role could otherwise prevent the publication of a night's head."""
    at = clock.now() + timedelta(hours=hours)
    channel = heads.Channel.BUNDLE if about.startswith("AGR") else heads.Channel.NIGHTLY
    heads.publish(channel, about=about, at=at, by=SYSTEM, head=heads.anchor())
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
        "after": "",
    }
