"""The logs know the address that we resolved, not the one that somebody claims."""

import logging

import pytest
from django.test import Client
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

CLAIMED = "198.51.100.99"
TOKEN = "token-that-nobody-else-may-read"


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


def test_a_program_that_calls_itself_much_is_shortened(client):
    with capture_logs() as lines:
        client.get("/healthz", headers={"User-Agent": "Mozilla/5.0 " + "x" * 60_000})
    named = [line["user_agent"] for line in lines if "user_agent" in line]
    assert [len(name) for name in named] == [200]


@pytest.mark.parametrize(
    "header",
    [
        {"Referer": f"https://elsewhere.example/{TOKEN}?next=/{TOKEN}#{TOKEN}"},
        {"Referer": f"https://{TOKEN}@elsewhere.example/"},
        {"Origin": f"https://elsewhere.example/{TOKEN}"},
    ],
)
def test_a_form_from_elsewhere_is_logged_with_its_host_alone(caplog, header):
    path = f"/sign-in/reset/usr_x/{TOKEN}/"
    with caplog.at_level(logging.WARNING, logger="django.security.csrf"):
        Client(enforce_csrf_checks=True).post(path, secure=True, headers=header)
    (handler,) = [one for one in logging.getLogger().handlers if one.name == "stderr"]
    said = [handler.format(one) for one in caplog.records if "csrf" in one.name]
    assert said
    assert all("https://elsewhere.example" in line for line in said)
    assert not any(TOKEN in line for line in said)
