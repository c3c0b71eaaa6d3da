"""What an application reads of a request: names, values, and nothing that a stranger slipped in."""

import pytest
from django.core.handlers.wsgi import WSGIRequest

from console.core import addresses
from console.server import environ as environs

PROXY, STRANGER = "10.0.0.7", "203.0.113.5"


def read(
    *headers: tuple[bytes, bytes], peer: str = STRANGER, target: bytes = b"/", version: str = "1.1"
) -> dict[str, object]:
    environ = environs.of_connection(peer, ("127.0.0.1", 8000))
    for name, value in ((b"host", b"localhost"), *headers):
        environs.add_header(environ, name, value)
    environs.complete(environ, "GET", target, version, PROXY.__eq__)
    return environ


@pytest.mark.parametrize("name", [b"x_forwarded_for", b"content_length", b"_host", b"host_", b"_"])
def test_a_name_with_an_underscore_is_dropped(name):
    assert set(read((name, b"7"))) == set(read())
    assert "7" not in read((name, b"7")).values()


def test_an_underscore_does_not_overwrite_what_a_proxy_says():
    for order in (1, -1):
        two = [(b"x-forwarded-for", b"198.51.100.1"), (b"x_forwarded_for", b"198.51.100.99")]
        assert read(*two[::order], peer=PROXY)["HTTP_X_FORWARDED_FOR"] == "198.51.100.1"


def test_only_a_proxy_says_for_whom_it_speaks():
    said = [(b"x-forwarded-for", b"198.51.100.1"), (b"x-forwarded-proto", b"https")]
    assert set(read(*said)) == set(read())
    believed = read(*said, peer=PROXY)
    assert believed["HTTP_X_FORWARDED_FOR"] == "198.51.100.1"
    assert believed["HTTP_X_FORWARDED_PROTO"] == "https"
    assert believed["REMOTE_ADDR"] == PROXY


def test_headers_said_twice_are_one():
    environ = read((b"x-a", b"1"), (b"cookie", b"a=1"), (b"x-a", b"2"), (b"cookie", b"b=2"))
    assert environ["HTTP_X_A"] == "1,2"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"


def test_blanks_around_a_value_do_not_belong_to_it():
    environ = read((b"x-a", b" \t1 2\t "), (b"x-a", b" 3 "), (b"content-type", b"text/plain \t"))
    assert environ["HTTP_X_A"] == "1 2,3"
    assert environ["CONTENT_TYPE"] == "text/plain"
    # What is no blank in a header is part of the value.
    assert read((b"x-b", b"1\xa0"))["HTTP_X_B"] == "1\xa0"


def test_a_path_is_what_django_makes_of_it():
    environ = read(target=b"/caf%C3%A9/%2e%ff?q=%C3%A9&\xff")
    assert WSGIRequest(environ).path_info == "/café/.%FF"
    assert WSGIRequest(environ).GET["q"] == "é"


def test_a_whole_address_says_which_host_is_asked():
    environ = read(target=b"http://api.example/v1/me?a=1")
    assert (environ["PATH_INFO"], environ["QUERY_STRING"]) == ("/v1/me", "a=1")
    assert environ["HTTP_HOST"] == "api.example"
    assert read(target=b"HTTPS://api.example")["PATH_INFO"] == "/"
    for target in (b"*", b"api.example:443", b"ftp://api.example/v1/me"):
        assert read(target=target)["PATH_INFO"] == target.decode()
        assert read(target=target)["HTTP_HOST"] == "localhost"


def test_the_request_says_where_it_came_from_and_how():
    request = WSGIRequest(read((b"content-type", b"text/plain"), (b"x-l", b"\xe9")))
    assert (request.scheme, request.get_host()) == ("http", "localhost")
    assert request.content_type == "text/plain"
    assert request.headers["X-L"] == "é"
    assert request.META["SERVER_PROTOCOL"] == "HTTP/1.1"
    assert read(version="1.0")["SERVER_PROTOCOL"] == "HTTP/1.0"


def test_nothing_of_the_process_is_in_it(monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_PROCESS", "7")
    assert not {name for name in read() if name.startswith(("SECRET", "PATH_TR", "DATABASE"))}


def test_who_counts_as_a_proxy_is_a_setting(settings):
    settings.TRUSTED_PROXIES = ["10.0.0.0/24"]
    assert addresses.is_proxy(PROXY)
    assert addresses.is_proxy(f"::ffff:{PROXY}")
    assert not addresses.is_proxy(STRANGER)
    assert not addresses.is_proxy("")
    settings.TRUSTED_PROXIES = []
    assert not addresses.is_proxy(PROXY)
