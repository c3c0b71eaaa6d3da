"""The dispatcher: which requests are the gateway's, and which the console's."""

import io

import pytest

from api.gateway.gateway import leads_here


@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/me", "//v1/me", "///v1", "/sandbox/v1", "/sandbox/v1/me"]
)
def test_the_api_leads_to_the_door(path):
    assert leads_here(path)


@pytest.mark.parametrize(
    "path", ["/", "/v1x", "/v10/me", "/sandbox", "/sandbox/", "/sandbox/v10", "/b/v1/", "/a/v1/me"]
)
def test_everything_else_leads_to_the_console(path):
    assert not leads_here(path)


def test_both_stand_in_one_process():
    from console.wsgi import application

    around = {"REQUEST_METHOD": "GET", "SERVER_NAME": "localhost", "SERVER_PORT": "8000"}
    around |= {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "127.0.0.9", "QUERY_STRING": ""}
    said: dict[str, str] = {}

    def start(status, headers):
        said.update(status=status, kind=dict(headers)["Content-Type"])

    def ask(path):
        stream = {"wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http", "PATH_INFO": path}
        b"".join(application(around | stream, start))
        return said

    assert ask("/v1/me") == {"status": "401 Unauthorized", "kind": "application/problem+json"}
    assert ask("/nothing-here/") == {"status": "404 Not Found", "kind": "text/html; charset=utf-8"}
    application.gateway.close()
