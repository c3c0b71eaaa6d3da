"""Time: each job is woken by itself, runs once at a time, and stops no other."""

import dbm
import shelve
import threading

import pytest
from django.db import connection

from agreements.models import SealCheck
from console import celery
from console.audit.models import ChainCheck
from console.core import schedule
from console.events import tasks
from tests.services import Services
from tests.waiting import eventually


@pytest.fixture
def jobs(monkeypatch):
    """A register of its own for the test."""
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
    assert entries["tests.minute"]["schedule"] == 60.0
    assert entries["tests.night"]["schedule"].hour == {2, 3, 4}


def test_one_name_is_one_job(jobs):
    jobs.every_night("tests.twice", lambda: None)
    with pytest.raises(ValueError, match="twice"):
        jobs.every_minute("tests.twice", lambda: None)


def test_a_job_that_fails_is_logged_and_says_which(jobs, caplog):
    jobs.every_minute("tests.fails", lambda: 1 / 0)
    tasks.run_job(name="tests.fails")
    assert [record.job for record in caplog.records if record.msg == "job_failed"] == [
        "tests.fails"
    ]


@pytest.mark.django_db(transaction=True)
def test_a_job_never_runs_beside_itself(jobs):
    began, go_on, ran = threading.Event(), threading.Event(), []

    def slow():
        ran.append(1)
        began.set()
        assert go_on.wait(30)

    def work():
        try:
            tasks.run_job(name="tests.slow")
        finally:
            connection.close()

    jobs.every_minute("tests.slow", slow)
    jobs.every_minute("tests.quick", lambda: ran.append(2))
    first = threading.Thread(target=work)
    first.start()
    assert began.wait(30)
    tasks.run_job(name="tests.slow")  # the second wake-up finds it at work
    tasks.run_job(name="tests.quick")  # another job does not wait for it
    go_on.set()
    first.join()

    assert ran == [1, 2]
    go_on.set()
    tasks.run_job(name="tests.slow")
    assert ran == [1, 2, 1]


@pytest.mark.django_db(transaction=True)
def test_what_is_done_at_night_keeps_no_worker_busy(jobs):
    go_on, ran = threading.Event(), []

    def slow():
        ran.append("slow" if go_on.wait(30) else "slow, and everybody waited")

    jobs.every_night("tests.slow", slow)
    jobs.every_night("tests.quick", lambda: ran.append("quick"))
    tasks.run_job(name="tests.slow")
    tasks.run_job(name="tests.quick")
    eventually(lambda: ran == ["quick"])
    go_on.set()
    eventually(lambda: ran == ["quick", "slow"])
    eventually(
        lambda: not {"tests.slow", "tests.quick"} & {one.name for one in threading.enumerate()}
    )


@pytest.mark.services
def test_a_worker_does_at_its_start_what_is_done_every_minute_and_at_night_what_is_asked(
    services: Services,
):
    services.start("broker", "worker")
    eventually(SealCheck.objects.exists)
    tasks.run_job.delay(name="audit.check_chain")
    eventually(ChainCheck.objects.exists)


@pytest.mark.services
def test_beat_itself_knows_every_job(services: Services):
    services.start("broker", "beat")
    kept = services.folder / "beat-schedule"

    def entries():
        try:
            with shelve.open(str(kept), flag="r") as found:
                return set(found["entries"])
        except dbm.error:  # it is being written
            return set()

    eventually(lambda: {job.name for job in schedule.jobs()} < entries())
