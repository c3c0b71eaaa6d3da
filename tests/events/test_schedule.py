"""Scheduled jobs: each is woken separately, never overlaps itself, and blocks no other job."""

import re
import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError, transaction
from django.db.models import F

from agreements.models import SealCheck
from apikeys.webhooks import verification
from console import celery
from console.audit.models import ChainCheck
from console.core import clock, schedule
from console.events import jobs as running
from console.events import outbox, tasks, work_claims
from console.events.models import JobRun, NightlyRun
from console.shell.models import DemoMail
from tests import factories
from tests.apikeys.webhooks import world
from tests.apikeys.webhooks.receiving import Receiver
from tests.databases import as_owner
from tests.services import Services
from tests.waiting import eventually


@pytest.fixture
def jobs(monkeypatch):
    """Return the schedule with an empty job registry."""
    monkeypatch.setattr(schedule, "_jobs", {})
    return schedule


def test_each_job_is_an_entry_of_its_own():
    entries = celery.entries()
    assert {job.name for job in schedule.jobs()} == set(entries)
    assert len(entries) > 5
    assert {entry["task"] for entry in entries.values()} == {"console.events.tasks.run_job"}
    assert {entry["kwargs"]["name"] for entry in entries.values()} == set(entries)


def test_a_nightly_job_is_woken_at_night_and_more_than_once(jobs):
    jobs.every_night("tests.night", lambda: None)
    jobs.every_minute("tests.minute", lambda: None)
    entries = celery.entries()
    assert entries["tests.minute"]["schedule"] == celery.MINUTE
    night = entries["tests.night"]["schedule"]
    assert (night.hour, night.minute) == ({2, 3, 4, 5}, {10, 40})
    # An unclaimed wake-up expires before the next one.
    assert entries["tests.night"]["options"]["expires"] < 30 * 60


def test_one_name_is_one_job(jobs):
    jobs.every_night("tests.twice", lambda: None)
    with pytest.raises(ValueError, match="twice"):
        jobs.every_minute("tests.twice", lambda: None)


def fail(*_):
    raise OperationalError("the database is away")


@pytest.mark.parametrize("claimed", [True, False])
def test_a_job_that_fails_or_cannot_be_claimed_is_logged_by_name(
    jobs, caplog, monkeypatch, claimed
):
    if not claimed:
        monkeypatch.setattr(work_claims, "claim", fail)
    jobs.every_minute("tests.fails", fail if claimed else lambda: None)
    running.run(jobs.named("tests.fails"))
    assert [record.job for record in caplog.records if record.msg == "job_failed"] == [
        "tests.fails"
    ]


def ended(*names):
    return not set(names) & {one.name for one in threading.enumerate()}


EVERY = ["every_five_seconds", "every_minute", "every_night"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("often", EVERY)
def test_a_job_never_runs_beside_itself_and_keeps_nobody_waiting(jobs, often):
    began, go_on, ran = threading.Event(), threading.Event(), []

    def slow():
        ran.append("slow")
        began.set()
        assert go_on.wait(30)
        ran.append("slow, to its end")

    getattr(jobs, often)("tests.slow", slow)
    getattr(jobs, often)("tests.quick", lambda: ran.append("quick"))
    tasks.run_job(name="tests.slow")
    assert began.wait(30)
    tasks.run_job(name="tests.slow")  # does nothing: the job is still running
    tasks.run_job(name="tests.quick")  # does not wait for the slow job
    eventually(lambda: ran == ["slow", "quick"])
    go_on.set()

    eventually(lambda: ended("tests.slow", "tests.quick"))
    assert ran == ["slow", "quick", "slow, to its end"]


def test_a_quick_job_has_ended_when_the_next_begins(jobs, monkeypatch):
    monkeypatch.setattr(tasks, "_MOMENT", 60)
    ran = []
    jobs.every_minute("tests.quick", lambda: ran.append("quick"))
    tasks.run_job(name="tests.quick")
    assert ran == ["quick"]
    assert ended("tests.quick")


@pytest.mark.parametrize("often", EVERY[:2])
def test_ticks_of_several_schedulers_start_a_job_once(jobs, often):
    """Whatever the phases of the schedulers, a job starts once in each of its periods."""
    ran = []
    getattr(jobs, often)("tests.job", lambda: ran.append(1))
    job = jobs.named("tests.job")

    def ticked(later):
        JobRun.objects.update(started_at=F("started_at") - later)
        running.run(job, scheduled=True)
        return len(ran)

    assert [ticked(timedelta()) for _ in range(3)] == [1, 1, 1]
    assert [ticked(job.period / 2) for _ in range(5)] == [1, 2, 2, 3, 3]
    running.run(job)  # somebody woke it between two ticks
    assert len(ran) == 4


# Nightly jobs


def test_a_nightly_job_is_done_once_a_day_and_again_after_one_that_failed(jobs):
    fails, ran = [True], []

    def job():
        ran.append(clock.now().date())
        if fails:
            raise ConnectionError

    jobs.every_night("tests.night", job)
    night = jobs.named("tests.night")
    with time_machine.travel("2026-03-01T02:10:00Z", tick=False) as travel:
        running.run(night)
        assert running.last("tests.night") is None
        fails.clear()
        for _ in range(3):
            travel.shift(timedelta(minutes=30))
            running.run(night)
        assert len(ran) == 2
        assert running.last("tests.night").isoformat() == "2026-03-01T02:40:00+00:00"
        travel.shift(timedelta(days=1))
        running.run(night)
    assert len(ran) == 3


def test_a_night_that_is_missed_is_told_once_it_is_a_habit(jobs):
    done: list[int] = []
    jobs.every_night("tests.night", lambda: 1 / len(done))
    with time_machine.travel("2026-03-01T02:10:00Z", tick=False) as travel:
        assert running.concerns() == []
        running.run(jobs.named("tests.night"))
        travel.shift(timedelta(hours=49))
        assert running.concerns() == []
        travel.shift(timedelta(hours=2))
        (said,) = running.concerns()
        assert said == "The nightly job tests.night has not run since 1 March 2026."
        done.append(1)
        running.run(jobs.named("tests.night"))
        assert running.concerns() == []
        travel.shift(timedelta(hours=51))
        assert "since 3 March 2026" in running.concerns()[0]


# Real workers


@pytest.mark.services
def test_an_e_mail_waits_for_no_job_and_for_no_receiver(services: Services, settings):
    answer = threading.Event()

    def slow(*_):
        answer.wait(90)
        return 200, b""

    server, people = Receiver(slow), [factories.a_person() for _ in range(6)]
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS, settings.WEBHOOK_ALLOW_HTTP = ["127.0.0.0/8"], True
    environment = {"WEBHOOK_EGRESS_ALLOW_CIDRS": "127.0.0.0/8", "WEBHOOK_ALLOW_HTTP": "1"}
    services.start("broker", "worker", DEMO="1", **environment)
    endpoint, _ = world.an_endpoint(url=server.url)
    verification.ask(endpoint, by=factories.owner_of(endpoint.business))
    eventually(lambda: server.asked)
    with as_owner() as held:
        held.execute("LOCK TABLE api_nonce, api_bucket IN EXCLUSIVE MODE")
        for name in ("api.forget_old_nonces", "api.forget_idle_buckets"):
            tasks.run_job.delay(name=name)
        for person in people:
            with transaction.atomic():
                outbox.publish("person.changed_password", person)
        theirs = DemoMail.objects.filter(to__in=[person.email for person in people])
        eventually(lambda: theirs.count() == len(people), within=40)
    answer.set()
    server.shutdown()
    server.server_close()


@pytest.mark.services
def test_a_worker_begins_with_the_jobs_of_every_minute_and_ends_what_a_killed_one_was_at(
    services: Services,
):
    def woken():
        tasks.run_job.delay(name="audit.check_chain")
        return NightlyRun.objects.filter(name="audit.check_chain", ended_at=None).exists()

    def done():
        return not woken()

    services.start("broker", "worker")
    eventually(SealCheck.objects.exists)
    with as_owner() as held:
        held.execute("LOCK TABLE audit_chain_check IN EXCLUSIVE MODE")
        eventually(woken, every=1)
        services.kill("worker")
    assert not ChainCheck.objects.exists()
    services.start("worker")
    eventually(done, every=1)
    assert ChainCheck.objects.count() == 1


@pytest.mark.services
def test_beat_itself_knows_every_job(services: Services):
    services.start("broker", "beat", LOG_LEVEL="DEBUG")

    def entries():
        return set(re.findall(r"<ScheduleEntry: (\S+) ", services.log_of("beat").read_text()))

    eventually(lambda: {job.name for job in schedule.jobs()} < entries())
