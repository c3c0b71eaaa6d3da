"""The client address comes only from a trusted proxy, tested through the real server."""

import json

import pytest

from tests.apikeys import world
from tests.server.wire import head, said
from tests.services import Services

pytestmark = pytest.mark.services

REAL, CLAIMED = "203.0.113.9", "198.51.100.99"


def test_a_header_with_an_underscore_is_read_by_nobody(services: Services) -> None:
    _, plain = world.a_key()
    services.start("web", TRUSTED_PROXIES="127.0.0.1/32")

    def client_ip(*headers: str) -> str:
        mine = ("Connection: close", f"Authorization: Bearer {plain}")
        answer = said(services.port, head("GET", "/sandbox/v1/me", *mine, *headers))
        assert answer.status == 200, answer.data
        return json.loads(answer.body)["client_ip"]

    assert client_ip() == "127.0.0.1"
    assert client_ip(f"X_Forwarded_For: {CLAIMED}") == "127.0.0.1"
    two = [f"X-Forwarded-For: {REAL}", f"X_Forwarded_For: {CLAIMED}"]
    assert client_ip(*two) == client_ip(*reversed(two)) == REAL
