"""The programs started beside the tests are real, use the test database, and are stopped."""

import urllib.request

import pytest

from console.celery import app
from console.events.models import JobRun
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services


def test_the_real_programs_work_on_the_test_database(services: Services) -> None:
    services.start("broker", "worker", "beat", "web")
    with urllib.request.urlopen(services.url, timeout=30) as page:
        assert page.status == 200
    app.send_task("console.events.tasks.run_job", kwargs={"name": "events.tick"})
    eventually(JobRun.objects.filter(name="events.tick").exists)


def test_a_program_that_was_killed_starts_again(services: Services) -> None:
    services.start("broker", "worker")
    services.kill("worker")
    assert not services.is_running("worker")
    services.start("worker")
    services.stop("worker")
    services.kill("broker")
    services.start("broker")
