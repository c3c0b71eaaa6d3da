"""A flood from one address is answered without a thread, and as a thread answers it."""

import json

import pytest

from api.door.policies import BOOK
from api.wsgi import mount_of
from tests.api.test_gate import ME
from tests.apikeys import world


@pytest.fixture
def at_once(api):
    """Ask as the event loop does; `None` leaves the request to the threads."""
    mount = mount_of(api.door, threads=1, waiting=1)

    def ask(path=ME, key="", **more):
        return mount.at_once(api.asks("GET", path, key, **more))

    return ask


@pytest.fixture
def shut(api):
    """The address has failed too often."""
    statuses = [api.get(ME).status for _ in range(BOOK.auth_failures.burst + 1)]
    assert statuses[-1] == 429


def test_who_has_not_failed_too_often_takes_a_thread(api, at_once):
    _, plain = world.a_key()
    assert at_once(key=plain) is None
    assert at_once() is None
    assert api.get(ME).status == 401
    assert at_once() is None


def test_a_shut_address_is_answered_as_by_a_thread(api, shut, at_once):
    by_thread, by_loop = api.get(ME), at_once()

    assert by_loop.status == by_thread.status == 429
    names = {name.decode() for name, _ in by_loop.headers}
    assert names == {name.lower() for name in by_thread.headers}
    assert int(dict(by_loop.headers)[b"retry-after"]) >= 1
    said, known = json.loads(by_loop.body), json.loads(by_thread.body)
    assert said["code"] == known["code"] == "RATE_LIMITED"
    assert said.keys() == known.keys()


def test_a_right_key_is_shut_out_too(shut, at_once):
    _, plain = world.a_key()
    assert at_once(key=plain).status == 429


@pytest.mark.parametrize(
    ("path", "more", "status"),
    [("/v1/nothing-here", {}, 404), (ME, {"HTTP_HOST": "evil.example"}, 400)],
)
def test_what_comes_before_the_key_comes_first(shut, at_once, path, more, status):
    assert at_once(path, **more).status == status
