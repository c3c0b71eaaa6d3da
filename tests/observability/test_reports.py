"""Traces and error reports name the request and its route, and none of its values.

tests/flows/test_secrets.py searches them for every secret of every flow.
"""

import urllib.error
import urllib.request

import pytest

from tests.flows.canaries import a_table_gone
from tests.observability.receiving import collector
from tests.services import Services
from tests.waiting import eventually

CANARY = "canary-that-nobody-may-see"


@pytest.mark.services
def test_a_request_that_fails_is_traced_and_reported_without_its_values(services: Services):
    with collector() as outside:
        services.start("web", **outside.settings, OTEL_BSP_SCHEDULE_DELAY="200")
        asked = urllib.request.Request(
            f"{services.url}/invitation/{CANARY}/?next={CANARY}",
            headers={"User-Agent": CANARY, "Cookie": f"session={CANARY}", "Referer": CANARY},
        )
        with (
            a_table_gone("accounts_session"),
            pytest.raises(urllib.error.HTTPError) as failed,
        ):
            urllib.request.urlopen(asked, timeout=60)
        failed.value.close()
        mine = failed.value.headers["X-Request-Id"].encode()
        eventually(lambda: mine in outside.traces and mine in outside.reports)
        assert b"GET accounts:invitation" in outside.traces
        assert b"SELECT" in outside.traces
        assert b"GET accounts:invitation" in outside.reports
        assert b"ProgrammingError" in outside.reports
        services.stop("web")
        assert CANARY.encode() not in outside.traces + outside.reports
