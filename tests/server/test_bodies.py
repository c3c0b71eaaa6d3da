"""The proxy accepts large bodies only where files are uploaded, and the console refuses others."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
from django.conf import settings
from django.urls import reverse

from tests.apikeys import world
from tests.launch.deployed import DEPLOY, Proxy
from tests.matrices.pages import PAGES, Page
from tests.server.wire import HOST, connected

MB = 1024 * 1024
EXAMPLE = (DEPLOY / "nginx.conf.example").read_text()
PATHS, SIZE, CONNECTIONS = re.findall(
    r"location ~ (\S+) {\s+client_max_body_size (\d+)m;\s+limit_conn console_uploads (\d+);",
    EXAMPLE,
)[0]
VERIFY = "/verify/"


def test_large_bodies_are_accepted_where_a_page_accepts_files_and_nowhere_else() -> None:
    ordinary = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    # A page that reads a report itself, of at most 256 KiB.
    pages = [page for page in PAGES if page.name != "apikeys:report_exposed"]
    large = {page.name: page.required.largest_body for page in pages}
    uploads = {name: size for name, size in large.items() if size > ordinary}
    assert {page.name for page in PAGES if re.search(PATHS, address(page))} == uploads.keys()
    assert set(uploads.values()) == {int(SIZE) * MB}
    assert f"client_max_body_size {ordinary // MB}m;" in EXAMPLE


def address(page: Page) -> str:
    return reverse(page.name, kwargs=dict.fromkeys(page.parameters, "1"))


@pytest.mark.services
def test_a_larger_body_is_refused_by_the_console_and_not_stored(proxy: Proxy) -> None:
    _, plain = world.a_key()
    key = {"Authorization": f"Bearer {plain}", "Content-Type": "application/json"}
    for body in (lambda: bytes(3 * MB), in_chunks):
        assert sent(proxy, "/sign-in/", body())[0] == 400
        status, words = sent(proxy, "/sandbox/v1/transfers", body(), key)
        assert (status, json.loads(words)["status"]) == (413, 413)
        assert "256 KiB" in words
        status, words = sent(proxy, "/exposed-keys/", body())
        assert (status, json.loads(words)["received"]) == (413, False)
    status, words = sent(proxy, VERIFY, bytes(int(SIZE) * MB + 1))
    assert status == 400
    assert proxy.ask("127.0.0.1", "GET", VERIFY).status == 200


def in_chunks() -> Iterator[bytes]:
    """Return a body whose length is not declared."""
    yield from [bytes(MB)] * 3


def sent(
    proxy: Proxy, path: str, body: bytes | Iterator[bytes], headers: dict[str, str] | None = None
) -> tuple[int, str]:
    with closing(connected(proxy.secure, proxy.certificate, timeout=30)) as here:
        here.request("POST", path, body, {"Host": HOST, **(headers or {})})
        answer = here.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.services
def test_one_address_uploads_a_few_files_at_once(proxy: Proxy) -> None:
    with ExitStack() as held:
        for _ in range(int(CONNECTIONS)):
            one = held.enter_context(closing(connected(proxy.secure, proxy.certificate)))
            one.putrequest("POST", VERIFY)
            one.putheader("Content-Length", str(MB))
            one.endheaders(b"half")
        assert proxy.ask("127.0.0.1", "GET", VERIFY).status == 429
        assert proxy.ask("127.0.0.1", "GET", "/sign-in/").status == 200
        assert proxy.ask("127.0.0.2", "GET", VERIFY).status == 200
