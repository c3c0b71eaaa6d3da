"""Files that strangers have checked: a full queue says so at once, and no page waits for it."""

import fcntl
import http.client
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import resolve

from agreements.verification import inspect_process
from console.core import page_policies, queues
from tests.agreements.verification import vectors
from tests.proofs import Proven, is_full, proof
from tests.server.asking import Asking
from tests.server.test_half_sent import compared, everything
from tests.services import Services
from tests.waiting import PATIENCE, eventually

AT_ONCE = 32
# Within so long whoever is one too many is told so.
REFUSED_SECONDS = 1
# The slowest hundredth of so many answers is several.
SECONDS = 30.0
VERIFY = "/verify/"
_EDGE = "edge-of-a-part"


@dataclass(frozen=True)
class Came:
    """What became of one upload, and how long after it was sent."""

    status: int
    seconds: float
    retry_after: str
    words: str


def upload(port: int, number: int, file: bytes, token: str, cookie: str) -> Came:
    """Send one file from an address of its own."""
    here = http.client.HTTPConnection(
        "127.0.0.1", port, timeout=PATIENCE, source_address=(f"127.0.1.{number + 1}", 0)
    )
    parts = (
        f"--{_EDGE}\r\nContent-Disposition: form-data; "
        f'name="csrfmiddlewaretoken"\r\n\r\n{token}\r\n'
        f'--{_EDGE}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    )
    headers = {
        "Host": f"localhost:{port}",
        "Cookie": cookie,
        "Content-Type": f"multipart/form-data; boundary={_EDGE}",
    }
    try:
        here.request(
            "POST", VERIFY, parts.encode() + file + f"\r\n--{_EDGE}--\r\n".encode(), headers
        )
        began = time.monotonic()
        answer = here.getresponse()
        words = answer.read().decode()
        seconds = time.monotonic() - began
        return Came(answer.status, seconds, answer.headers.get("Retry-After", ""), words)
    finally:
        here.close()


def burst(port: int, file: bytes) -> list[Came]:
    """Send as many at once as there are addresses."""
    token, cookie = form_of(port)
    came: list[Came] = []
    gate = threading.Barrier(AT_ONCE)

    def one(number: int) -> None:
        gate.wait()
        came.append(upload(port, number, file, token, cookie))

    senders = [threading.Thread(target=one, args=(number,)) for number in range(AT_ONCE)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return came


def form_of(port: int) -> tuple[str, str]:
    """Return the form's token and its cookie, which one visitor may use from anywhere."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", VERIFY, headers={"Host": f"localhost:{port}"})
    answer = connection.getresponse()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    connection.close()
    assert found
    return found[1], cookie


@pytest.mark.services
@proof(
    "R32",
    "32 files to check at once, from 32 addresses",
    full=4,
    asked=f"each answered or refused, a refusal within {REFUSED_SECONDS} s; "
    "pages answered, p99 at most 2x",
)
def test_uploads_are_answered_or_refused_and_keep_no_page_waiting(
    services: Services, proven: Proven
) -> None:
    services.start_web_as_shipped()
    asks, file = everything(), vectors.sealed()
    Asking(services.port, asks, 1).done()
    seconds = SECONDS if is_full() else 5.0
    quiet = Asking(services.port, asks, seconds).done()
    pages = Asking(services.port, asks, seconds)
    began = time.monotonic()
    came = [one for _ in range(proven.size) for one in burst(services.port, file)]
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
def test_all_processes_share_one_line_and_its_end_is_told_at_once(services: Services) -> None:
    services.start_web_as_shipped()
    queue, file, form = inspect_process.QUEUE, vectors.sealed(), form_of(services.port)
    assert upload(services.port, 0, file, *form).status == 200
    most = queue.at_once + queue.waiting
    with ExitStack() as held, ThreadPoolExecutor(2 * most) as senders:
        for number in range(queue.at_once):
            path = Path(settings.DATA_DIR) / f"queues/verify/lane.{number}"
            fcntl.flock(held.enter_context(path.open("wb")), fcntl.LOCK_EX)
        sent = [
            senders.submit(upload, services.port, number, file, *form) for number in range(2 * most)
        ]
        eventually(lambda: sum(one.done() for one in sent) >= 2 * most - queue.waiting)
        refused = [one.result() for one in sent if one.done()]
        held.close()
        answered = [one.result().status for one in sent]
    # All were refused while the lanes were held, so before any that was let in could be answered.
    assert {one.status for one in refused} == {429}
    # Beside other tests one of them may wait for the machine: the full proof (R32) times the
    # slowest. Who is refused waits for nothing of ours, so one of them is told within the figure.
    assert min(one.seconds for one in refused) <= REFUSED_SECONDS
    assert sorted(answered) == [200] * queue.waiting + [429] * len(refused)
    assert len(refused) == 2 * most - queue.waiting


@pytest.mark.services
def test_the_largest_file_that_is_looked_at_arrives_with_its_form(web: Services) -> None:
    came = upload(web.port, AT_ONCE, bytes(inspect_process.LARGEST), *form_of(web.port))
    assert came.status == 200
    assert "not a PDF" in came.words


def test_every_queue_is_a_page_that_takes_the_method():
    declared = queues.declared()
    assert declared
    for queue in declared:
        page = page_policies.of(resolve(queue.path).func)
        assert page is not None
        assert queue.method in page.methods
    assert [queue.path for queue in declared] == [VERIFY]
    assert declared[0].at_once == inspect_process.AT_ONCE
