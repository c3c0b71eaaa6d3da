"""One line for all processes of a machine: first in, first out, and nobody is let in who is one too
many."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from console.server.shared_queue import QueuePosition, SharedQueue
from tests.waiting import PATIENCE

_HOLDS = """
import sys, time
from pathlib import Path
from console.server.shared_queue import SharedQueue
position = SharedQueue(Path(sys.argv[1]), lanes=1, waiting=3).enter()
print("in", flush=True)
position.wait()
print("turn", flush=True)
time.sleep(600)
"""


@pytest.fixture
def queue(tmp_path: Path) -> SharedQueue:
    """A line of three before one lane. Each opens its files anew, as another process does."""
    return SharedQueue(tmp_path / "line", lanes=1, waiting=3)


def entered(queue: SharedQueue) -> QueuePosition:
    position = queue.enter()
    assert position is not None
    return position


def test_as_many_are_let_in_as_run_and_wait(queue: SharedQueue) -> None:
    inside = [entered(queue) for _ in range(4)]
    assert queue.enter() is None
    inside.pop().leave()
    inside.append(entered(queue))
    assert queue.enter() is None
    for position in inside:
        position.leave()


def test_who_came_first_is_first(queue: SharedQueue) -> None:
    came: list[int] = []

    def one(number: int, position: QueuePosition) -> None:
        position.wait()
        came.append(number)
        position.leave()

    running = entered(queue)
    inside = [entered(queue) for _ in range(3)]
    # Who came last waits first: nothing but their places may count.
    with ThreadPoolExecutor(3) as threads:
        for number in (2, 1, 0):
            threads.submit(one, number, inside[number])
        running.leave()
    assert came == [0, 1, 2]


def test_who_comes_later_overtakes_nobody(queue: SharedQueue) -> None:
    running, waiting = entered(queue), entered(queue)
    running.leave()
    later = entered(queue)
    assert not later.step()
    waiting.wait()
    assert later.step()
    assert not later.step()
    waiting.leave()
    later.wait()
    later.leave()


def test_no_lane_is_idle_while_somebody_waits(tmp_path: Path) -> None:
    queue = SharedQueue(tmp_path, lanes=2, waiting=2)
    slow, quick, *waiting = [entered(queue) for _ in range(4)]
    quick.leave()
    for position in waiting:
        position.wait()
        position.leave()
    slow.leave()


def test_who_is_killed_keeps_nobody_waiting(queue: SharedQueue, tmp_path: Path) -> None:
    words = [sys.executable, "-c", _HOLDS, str(tmp_path / "line")]
    others = []
    for said in ("in\nturn\n", "in\n"):
        other = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        others.append(other)
        assert other.stdout
        assert "".join(other.stdout.readline() for _ in said.splitlines()) == said
    position = entered(queue)
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(position.wait)
        # The one in line, then the one that runs.
        for other in reversed(others):
            assert not waits.done()
            other.kill()
            other.communicate()
        waits.result(PATIENCE)
    position.leave()


def test_nobody_is_refused_because_somebody_else_enters(queue: SharedQueue) -> None:
    """Eight come at once to four places, again and again: four are let in each time."""
    gate = threading.Barrier(8)

    def one(_: int) -> QueuePosition | None:
        gate.wait()
        return queue.enter()

    with ThreadPoolExecutor(8) as threads:
        for _ in range(50):
            came = [position for position in threads.map(one, range(8)) if position is not None]
            assert len(came) == 4
            for position in came:
                position.leave()


def test_a_folder_that_was_removed_is_made_again(queue: SharedQueue, tmp_path: Path) -> None:
    entered(queue).leave()
    for file in (tmp_path / "line").iterdir():
        file.unlink()
    (tmp_path / "line").rmdir()
    entered(queue).leave()
