"""Files that strangers upload to check are handled a few at a time, without delaying pages."""

import fcntl
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from agreements.verification import inspect_process
from agreements.verification.inspect_server import START_SECONDS
from console.core.isolation import LARGEST_FILE
from tests.agreements.verification import vectors
from tests.launch.deployed import DEPLOY, Proxy
from tests.proofs import Proven, is_full, proof
from tests.server.asking import Asking
from tests.server.test_half_sent import compared, everything
from tests.server.wire import HOST, connected
from tests.waiting import PATIENCE, eventually

AT_ONCE = 32
# The time within which an excess upload must be refused.
REFUSED_SECONDS = 1
# Long enough that the slowest hundredth of the responses is several of them.
SECONDS = 30.0
VERIFY = "/verify/"
_EDGE = "edge-of-a-part"


@dataclass(frozen=True)
class Came:
    """The response to one upload, and the seconds it took after sending."""

    status: int
    seconds: float
    retry_after: str
    words: str


def upload(proxy: Proxy, number: int, file: bytes, token: str, cookie: str) -> Came:
    """Upload one file from its own loopback address."""
    parts = (
        f"--{_EDGE}\r\nContent-Disposition: form-data; "
        f'name="csrfmiddlewaretoken"\r\n\r\n{token}\r\n'
        f'--{_EDGE}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    )
    body = parts.encode() + file + f"\r\n--{_EDGE}--\r\n".encode()
    headers = {
        "Host": HOST,
        "Origin": f"https://{HOST}",
        "Cookie": cookie,
        "Content-Type": f"multipart/form-data; boundary={_EDGE}",
    }
    address = f"127.0.1.{number + 1}"
    with closing(
        connected(proxy.secure, proxy.certificate, source=address, timeout=PATIENCE)
    ) as here:
        here.request("POST", VERIFY, body, headers)
        began = time.monotonic()
        answer = here.getresponse()
        words = answer.read().decode()
        seconds = time.monotonic() - began
        return Came(answer.status, seconds, answer.headers.get("Retry-After", ""), words)


def burst(proxy: Proxy, file: bytes) -> list[Came]:
    """Upload the file from every address at once."""
    token, cookie = form_of(proxy)
    came: list[Came] = []
    gate = threading.Barrier(AT_ONCE)

    def one(number: int) -> None:
        gate.wait()
        came.append(upload(proxy, number, file, token, cookie))

    senders = [threading.Thread(target=one, args=(number,)) for number in range(AT_ONCE)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return came


def form_of(proxy: Proxy) -> tuple[str, str]:
    """Return the form's CSRF token and its cookie, which are valid from any address."""
    page = proxy.ask("127.0.0.1", "GET", VERIFY)
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert found
    return found[1], page.cookies()


@pytest.mark.services
@proof(
    "R32",
    "32 files to check at once, from 32 addresses",
    full=4,
    asked=f"each answered or refused, a refusal within {REFUSED_SECONDS} s; "
    "pages answered, p99 at most 2x",
)
def test_uploads_are_answered_or_refused_and_keep_no_page_waiting(
    proxy: Proxy, proven: Proven
) -> None:
    asks, file = everything(), vectors.sealed()
    Asking(proxy, asks, 1).done()
    seconds = SECONDS if is_full() else 2.0
    quiet = Asking(proxy, asks, seconds).done()
    pages = Asking(proxy, asks, seconds)
    began = time.monotonic()
    came = [one for _ in range(proven.size) for one in burst(proxy, file)]
    all_took = time.monotonic() - began
    meanwhile = pages.done()
    answered = [one for one in came if one.status == 200]
    refused = [one for one in came if one.status == 429]
    assert all("Check another document" in one.words for one in answered)
    assert all("Many files are being checked" in one.words for one in refused)
    assert all(one.retry_after == "60" for one in refused)
    slowest = max((one.seconds for one in refused), default=0.0)
    said, ratio = compared(quiet, meanwhile)
    figure = (
        f"{len(came)} sent in {all_took:.1f} s: {len(answered)} answered, {len(refused)} refused, "
        f"the slowest refusal after {slowest * 1000:.0f} ms; {meanwhile.answers} asked in "
        f"{seconds:g} s, {len(meanwhile.wrong)} unanswered; {said}"
    )
    whole = answered and refused and len(answered) + len(refused) == AT_ONCE * proven.size
    in_time = slowest <= REFUSED_SECONDS and ratio <= 2
    proven.reached(figure, met=bool(whole and not meanwhile.wrong and (in_time or not is_full())))


@pytest.mark.services
def test_all_processes_share_the_places_and_one_too_many_is_told_at_once(proxy: Proxy) -> None:
    file, form = vectors.sealed(), form_of(proxy)
    assert upload(proxy, 0, file, *form).status == 200
    places = sorted((Path(settings.DATA_DIR) / "inspecting").glob("looking.*"))
    most = inspect_process.AT_ONCE + inspect_process.WAITING
    with ExitStack() as held, ThreadPoolExecutor(2 * most) as senders:
        for number in range(inspect_process.AT_ONCE):
            path = Path(settings.DATA_DIR) / f"inspecting/looking.{number}"
            fcntl.flock(held.enter_context(path.open("wb")), fcntl.LOCK_EX)
        sent = [senders.submit(upload, proxy, number, file, *form) for number in range(2 * most)]
        eventually(lambda: sum(one.done() for one in sent) >= most)
        refused = [one.result() for one in sent if one.done()]
        held.close()
        answered = [one.result().status for one in sent]
    assert places
    # These were refused while the locks were held, so before any waiting upload was answered.
    assert {one.status for one in refused} == {429}
    assert {one.retry_after for one in refused} == {"60"}
    assert sorted(answered) == [200] * most + [429] * most


@pytest.mark.services
def test_the_largest_file_that_is_looked_at_arrives_with_its_form(proxy: Proxy) -> None:
    came = upload(proxy, AT_ONCE, bytes(LARGEST_FILE), *form_of(proxy))
    assert came.status == 200
    assert "not a PDF" in came.words


def test_the_last_that_waits_is_answered_before_a_proxy_gives_up():
    said = (DEPLOY / "nginx.conf.example").read_text()
    proxy = int(re.findall(r"proxy_read_timeout (\d+)s;", said)[0])
    assert proxy > inspect_process.WAIT_SECONDS + inspect_process.SECONDS + START_SECONDS


def test_no_web_process_has_all_its_threads_with_files():
    assert inspect_process.AT_ONCE + inspect_process.WAITING < settings.WEB_THREADS
