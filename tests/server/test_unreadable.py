"""A request that the server cannot parse is refused with a request ID, and never quoted."""

import json

import pytest

from tests.server.wire import head, said
from tests.services import Services

pytestmark = pytest.mark.services

TOKEN = "t0k3n"


def test_it_is_answered_and_logged_with_the_same_request_id(services: Services) -> None:
    services.start("web")
    for why, request in {
        "LimitRequestLine": head("GET", f"/reset/{TOKEN}/{'a' * 9000}/"),
        "InvalidHeader": head("GET", f"/reset/{TOKEN}/", f"X-Note: {TOKEN}\x07"),
    }.items():
        answer = said(services.port, request)

        assert answer.status == 400
        request_id = answer.header("X-Request-Id")
        assert f"Request ID: {request_id}\n" in answer.body.decode()
        log = services.log_of("web").read_text()
        (line,) = [one for one in log.splitlines() if request_id in one]
        assert json.loads(line)["why"] == why
        assert TOKEN not in answer.data.decode() + log
