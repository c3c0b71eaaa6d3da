"""The logs know the address that we resolved, not the one that somebody claims."""

import pytest
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

CLAIMED = "198.51.100.99"


def logged_address(client, **headers):
    with capture_logs(processors=[merge_contextvars]) as lines:
        client.get("/healthz", headers=headers, REMOTE_ADDR="203.0.113.5")
    return {line["ip"] for line in lines}


@pytest.mark.parametrize(
    "name", ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP", "X-Client-IP", "Via"]
)
def test_what_is_claimed_is_not_logged(client, name):
    assert logged_address(client, **{name: CLAIMED}) == {"203.0.113.5"}


def test_what_a_proxy_says_is_logged(client, settings):
    settings.TRUSTED_PROXIES = ["203.0.113.0/24"]
    assert logged_address(client, **{"X-Forwarded-For": CLAIMED}) == {CLAIMED}
