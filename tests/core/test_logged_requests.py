"""Logs show the resolved client address, not a forged one."""

import logging

import pytest
from django.test import Client
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

CLAIMED = "198.51.100.99"
TOKEN = "token-that-nobody-else-may-read"
ELSEWHERE, UNREADABLE = "https://elsewhere.example", "an unreadable address"


def logged_address(client, **headers):
    with capture_logs(processors=[merge_contextvars]) as lines:
        client.get("/sign-in/", headers=headers, REMOTE_ADDR="203.0.113.5")
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
        client.get("/sign-in/", headers={"User-Agent": "Mozilla/5.0 " + "x" * 60_000})
    named = [line["user_agent"] for line in lines if "user_agent" in line]
    assert [len(name) for name in named] == [200]


@pytest.mark.parametrize(
    "path",
    [
        f"/sign-in/reset/usr_x/{TOKEN}/",
        f"/invitation/{TOKEN}é/",
        f"/invitation/{TOKEN}%5C/",
        f"/invitation/{TOKEN}%0A/",
        f"/?{TOKEN}",
    ],
)
def test_a_refused_form_is_logged_by_its_route(caplog, path):
    refused_from_elsewhere(path, {})
    assert_no_token(caplog, "Forbidden (Referer checking failed - no Referer.): ")


@pytest.mark.parametrize(
    ("header", "shown"),
    [
        ({"Referer": f"https://elsewhere.example/{TOKEN}?next=/{TOKEN}#{TOKEN}"}, ELSEWHERE),
        ({"Referer": f"https://elsewhere.example/a {TOKEN} does not match {TOKEN}"}, ELSEWHERE),
        ({"Referer": f"https://elsewhere.example:8443/{TOKEN}"}, f"{ELSEWHERE}:8443"),
        ({"Referer": f"https://{TOKEN}@elsewhere.example/"}, ELSEWHERE),
        ({"Referer": f"https://a@{TOKEN} b@elsewhere.example/"}, ELSEWHERE),
        ({"Referer": f"https://elsewhere.example {TOKEN}/"}, UNREADABLE),
        ({"Origin": f"https://elsewhere.example/{TOKEN}"}, ELSEWHERE),
        ({"Origin": f"https://elsewhere.example\\{TOKEN}"}, UNREADABLE),
        ({"Origin": TOKEN}, UNREADABLE),
        ({"Origin": f"https://[{TOKEN}"}, UNREADABLE),
        ({"Origin": f"{TOKEN}://elsewhere.example"}, UNREADABLE),
    ],
)
def test_a_form_from_elsewhere_is_logged_with_its_host_alone(caplog, header, shown):
    refused_from_elsewhere(f"/invitation/{TOKEN}/", header)
    assert_no_token(caplog, f"checking failed - {shown} does not match any trusted origins.): ")


def test_a_host_that_is_refused_is_not_logged(caplog):
    Client().get("/", headers={"Host": f"{TOKEN}.example/x"})
    assert_no_token(caplog, "DisallowedHost: shell:home")


def test_a_page_that_fails_is_logged_by_its_route(caplog, monkeypatch):
    monkeypatch.setattr("console.accounts.members.find_invitation", broken)
    for end in ("", "é", "%5C"):
        Client(raise_request_exception=False).get(f"/invitation/{TOKEN}{end}/")
    assert_no_token(caplog, "Internal Server Error: accounts:invitation")


def test_a_page_of_nowhere_that_fails_does_not_tell_its_path(caplog, monkeypatch):
    monkeypatch.setattr("console.shell.views.errors.render", broken)
    Client(raise_request_exception=False).get(f"/nowhere/{TOKEN}/")
    assert_no_token(caplog, "Resolver404: ")


def refused_from_elsewhere(path, header):
    Client(enforce_csrf_checks=True).post(path, secure=True, headers=header)


def broken(*_, **__):
    raise ZeroDivisionError


def assert_no_token(caplog, shown):
    """The console's own handler logs the address and never the token."""
    (handler,) = [one for one in logging.getLogger().handlers if one.name == "stderr"]
    said = "\n".join(handler.format(one) for one in caplog.records if "django" in one.name)
    assert shown in said
    assert TOKEN not in said
