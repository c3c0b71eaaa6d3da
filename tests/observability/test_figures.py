"""Figures for Prometheus: a port of their own, every process counted, alerts with a runbook."""

import json
import math
import os
import re
import signal
import urllib.error
import urllib.request
from datetime import timedelta
from functools import partial

import pytest
from django.http import HttpResponse
from prometheus_client.parser import text_string_to_metric_families

from console.core import blobs, clock
from console.events import background_health, jobs
from console.events.models import JobRun
from console.launch.setup import ROOT
from console.observability import exporter
from console.observability.request_figures import RequestFiguresMiddleware
from tests import factories
from tests.apikeys.webhooks.world import an_endpoint
from tests.server.test_stopping import workers_of
from tests.services import Services, free_port
from tests.waiting import eventually

ALERTS = (ROOT / "deploy/alerts.yaml").read_text()
DASHBOARD = (ROOT / "deploy/grafana-dashboard.json").read_text()


def scrape(port: int) -> dict[str, dict[tuple[str, ...], float]]:
    """Return the values of each figure, by its labels' values."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
        text = answer.read().decode()
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(text):
        found.setdefault(family.name, {})
        for one in family.samples:
            found.setdefault(one.name, {})[tuple(one.labels.values())] = one.value
    return found


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.status or 0


def counts(services: Services, pid: int) -> bool:
    return any(services.folder.rglob(f"gauge_livesum_{pid}.db"))


def is_forgotten(services: Services, pid: int) -> bool:
    return not counts(services, pid)


@pytest.mark.services
def test_every_figure_of_alerts_and_dashboard_is_exported(services: Services):
    factories.settle()
    port = free_port()
    services.start("broker")
    services.start_web_as_shipped(METRICS_PORT=str(port))
    for _ in range(20):
        urllib.request.urlopen(f"{services.url}/sign-in/?next=/secret/", timeout=60).close()
    assert status(f"{services.url}/no/such/page/") == 404

    found = scrape(port)
    used = set(re.findall(r"console_\w+", ALERTS + DASHBOARD))
    assert len(used) > 20
    assert used - found.keys() == set()
    assert found["console_requests_total"]["accounts:sign_in", "200"] == 20
    assert found["console_request_seconds_count"]["accounts:sign_in",] == 20
    assert set(found["console_figures_unread"].values()) == {0.0}
    assert found["console_broker_up"] == {(): 1.0}
    assert found["console_database_pool"]["open",] >= 1
    assert "secret" not in str(found)
    # The public port has none.
    assert status(f"{services.url}/metrics") == 404

    # A killed process's requests still count; its connections do not.
    web = services.processes["web"].pid
    for one in workers_of(web):
        if counts(services, one):
            os.kill(one, signal.SIGKILL)
            eventually(partial(is_forgotten, services, one))
    assert scrape(port)["console_requests_total"]["accounts:sign_in", "200"] == 20
    services.stop("web")
    with pytest.raises(OSError, match=r"refused|reset"):
        scrape(port)


def test_every_alert_has_a_runbook():
    text = (ROOT / "docs/operations.md").read_text()
    anchors = {line[4:].lower() for line in text.splitlines() if line.startswith("### ")}
    named = re.findall(r"alert: (\w+)", ALERTS)
    assert len(named) > 10
    assert re.findall(r"runbook: docs/operations\.md#(\S+)", ALERTS) == list(map(str.lower, named))
    assert set(map(str.lower, named)) <= anchors
    assert json.loads(DASHBOARD)["panels"]


def of_the_database():
    JobRun.objects.raw("SELECT nothing")[0]
    yield


def of_the_store():
    raise blobs.StoreUnavailable


@pytest.mark.parametrize("broken", [of_the_database, of_the_store])
def test_a_figure_that_cannot_be_read_does_not_hide_the_others(monkeypatch, caplog, broken):
    from console.observability import figures

    monkeypatch.setattr(figures, "_readers", dict(figures.readers()) | {"broken": broken})
    families = {one.name: one for one in exporter.Figures().collect()}
    unread = {one.labels["reader"]: one.value for one in families["console_figures_unread"].samples}
    assert unread.pop("broken") == 1.0
    assert set(unread.values()) == {0.0}
    assert "figures_unread" in caplog.text


def sampled() -> dict[str, float]:
    """Return the figures that have no labels and a value."""
    samples = [one for family in exporter.Figures().collect() for one in family.samples]
    return {one.name: one.value for one in samples if not one.labels}


def test_what_never_ran_is_infinitely_old_where_somebody_needs_it():
    never = sampled()
    assert never["console_background_tick_age_seconds"] == math.inf
    assert never["console_seal_check_age_seconds"] == math.inf
    assert never["console_seal_works"] == 0.0
    assert "console_webhook_dispatcher_age_seconds" not in never
    an_endpoint()
    assert sampled()["console_webhook_dispatcher_age_seconds"] == math.inf


@pytest.mark.parametrize("name", ["head", "check"])
def test_nothing_done_at_night_is_as_old_as_the_first_entry(name):
    age = f"console_audit_{name}_age_seconds"
    before = clock.now()
    factories.a_business()
    assert 0 <= sampled()[age] <= (clock.now() - before).total_seconds()


def test_each_job_leaves_the_time_of_its_last_run():
    from console.core import schedule

    jobs.run(schedule.named(background_health.TICK))
    jobs.run(schedule.named(background_health.TICK))
    last = background_health.last_tick()
    assert last is not None
    assert clock.now() - last < timedelta(minutes=1)
    assert background_health.concerns() == []


@pytest.mark.services
def test_silence_names_the_part_that_is_silent(services: Services, caplog, settings):
    from console.celery import app

    JobRun.objects.create(name=background_health.TICK, ended_at=clock.now() - timedelta(minutes=10))
    assert "the broker does not answer" in background_health.concerns()[0]
    services.start("broker")
    app.control.purge()  # what an earlier test could not send
    assert "Start the part `beat`" in background_health.concerns()[0]
    app.send_task("console.events.tasks.sweep")
    assert "Start the part `worker`" in background_health.concerns()[0]
    background_health.log_silence()
    assert "background_silent" in caplog.text


def test_a_process_may_load_the_middleware_twice(settings):
    settings.METRICS_PORT = 1
    for _ in range(2):
        RequestFiguresMiddleware(lambda _: HttpResponse())
