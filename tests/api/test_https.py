"""Outside loopback, calls without TLS are refused before their key is checked."""

import pytest

from tests.apikeys import world

PATH = "/sandbox/v1/me"
PROXY = "10.0.0.7"


@pytest.fixture(autouse=True)
def _real(settings):
    """An installation that is not on loopback, behind one proxy."""
    settings.HTTPS = True
    settings.TRUSTED_PROXIES = [PROXY]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


def assert_refused(reply):
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    fault = reply.json["errors"][0]
    assert (fault["pointer"], fault["code"]) == ("/url", "not_https")


@pytest.mark.parametrize("authorization", ["", "Bearer nonsense", "right"])
def test_a_plain_call_is_refused_whatever_its_key(api, authorization):
    if authorization == "right":
        authorization = f"Bearer {world.a_key()[1]}"
    assert_refused(api.get(PATH, HTTP_AUTHORIZATION=authorization))


@pytest.mark.parametrize("said", ["https", "https, http"])
def test_a_stranger_cannot_say_that_it_came_by_tls(api, said):
    assert_refused(api.get(PATH, world.a_key()[1], HTTP_X_FORWARDED_PROTO=said))


@pytest.mark.parametrize(("said", "status"), [("https", 200), ("http", 400), ("", 400)])
def test_a_proxy_says_how_it_was_asked(api, said, status):
    more = {"REMOTE_ADDR": PROXY, "HTTP_X_FORWARDED_PROTO": said}
    assert api.get(PATH, world.a_key()[1], **more).status == status


def test_what_comes_by_tls_is_served(api):
    reply = api.get(PATH, world.a_key()[1], **{"wsgi.url_scheme": "https"})
    assert reply.status == 200


def test_on_loopback_nothing_is_asked(api, settings):
    settings.HTTPS = False
    assert api.get(PATH, world.a_key()[1]).status == 200


def test_failures_to_come_by_tls_do_not_lock_an_address_out(api, settings):
    for _ in range(30):
        assert_refused(api.get(PATH, "nonsense"))
    settings.HTTPS = False
    assert api.get(PATH).status == 401
