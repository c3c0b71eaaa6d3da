"""A stopping web server finishes the requests it has begun; a killed one leaves nothing behind."""

import errno
import os
import signal
import socket
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, transaction

from apikeys.models import RequestLog
from console.launch import programs
from tests.server.test_pool import waiting_for
from tests.server.wire import head, said
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services

PAGE = f"/verify/?sha256={'0' * 64}"


def workers_of(pid: int) -> list[int]:
    """Return the process IDs of the worker processes."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def lives(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def refuses(port: int) -> bool:
    """Tell whether nothing listens on that port."""
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED


def test_it_stops_soon_and_loses_nothing(services: Services) -> None:
    services.start("web")
    answered = said(services.port, head("GET", "/sandbox/v1/nothing", "Connection: close"))
    assert answered.status == 404
    with ThreadPoolExecutor(1) as asking:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE accounts_throttle IN EXCLUSIVE MODE")
            begun = asking.submit(urllib.request.urlopen, services.url + PAGE)
            eventually(lambda: waiting_for("accounts_throttle") == 1)
            began = time.monotonic()
            services.processes["web"].terminate()
            # So that a proxy asks another host.
            eventually(lambda: refuses(services.port))
            assert not begun.done()
        assert begun.result().status == 200
    assert services.processes["web"].wait(programs.STOP_SECONDS) == 0
    assert time.monotonic() - began < programs.STOP_SECONDS
    assert RequestLog.objects.get().status == 404


def test_another_worker_takes_the_place_of_one_that_was_killed(services: Services) -> None:
    services.start("web")
    (killed,) = workers_of(services.processes["web"].pid)
    os.kill(killed, signal.SIGKILL)
    eventually(lambda: set(workers_of(services.processes["web"].pid)) - {killed})
    with urllib.request.urlopen(f"{services.url}/livez", timeout=60) as answer:
        assert answer.status == 200


def test_nothing_outlives_a_main_process_that_was_killed(services: Services) -> None:
    services.start_web_as_shipped()
    main = services.processes["web"].pid
    workers = workers_of(main)
    assert len(workers) == 2
    os.kill(main, signal.SIGKILL)
    eventually(lambda: not any(map(lives, workers)))
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(services.url, timeout=60)
