"""The supervisor restarts parts that die, and nothing outlives it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from console.launch.setup import ROOT
from tests.waiting import eventually

pytestmark = pytest.mark.check

PROGRAM = """
import sys, time
from pathlib import Path
from console.launch.supervisor import Part, Stopped, Supervisor

folder = Path(sys.argv[1])
# Each start adds a line; the grandchild stands for a worker of a worker. Its number is moved
# into place, because a part may be killed while it writes.
number = "echo $! > number.$$ && mv number.$$ grandchild"
words = f"echo $$ >> starts; sleep 1000 & {number}; wait"
supervisor = Supervisor(folder / "logs")
command = ["setpriv", "--pdeathsig", "TERM", "sh", "-c", f'cd "$0"; {words}', str(folder)]
supervisor.start(Part("part", command, {"PATH": "/usr/bin:/bin"}))
try:
    supervisor.watch_for(60)
except Stopped:
    pass
supervisor.stop()
"""
FAILING = """
import os, sys
from contextlib import suppress
from pathlib import Path
from console.launch.supervisor import Supervisor
from console.launch.errors import Trouble

supervisor = Supervisor(Path(sys.argv[1]))
for word in ("first", "second"):
    with suppress(Trouble):
        supervisor.run("command", ["sh", "-c", f"echo {word}; exit 1"], os.environ)
"""
SLOW = """
import os, sys
from pathlib import Path
from console.launch import supervisor

supervisor._SAY_AFTER = 0.2
command = ["sh", "-c", "echo Applying one; sleep 0.5; echo Applying two; sleep 0.5"]
supervisor.Supervisor(Path(sys.argv[1])).run("migrate", command, os.environ)
"""
CHATTY = """
import os, sys
from pathlib import Path
from console.launch import supervisor

supervisor._BIGGEST_LOG, supervisor._LOOK_AT_LOGS = 1000, 0.05
folder = Path(sys.argv[1])
words = "while :; do echo a line of the log; sleep 0.001; done"
beside = supervisor.Supervisor(folder)
beside.start(supervisor.Part("part", ["sh", "-c", words], os.environ))
beside.watch_for(3)
beside.stop()
"""

FORKING = """
import atexit, os, signal, sys
from functools import partial
from pathlib import Path
from console.launch.forks import Fork

def fail():
    raise ValueError("broken")

def end():
    atexit.register(print, "at its end")
    print(Path("/proc/self/comm").read_text().strip(), os.listdir("/proc/self/fd"))

kept = os.open(sys.argv[1], os.O_RDONLY)
with open(sys.argv[1] + "/log", "ab") as log:
    ways = [end, fail, partial(sys.exit, 3), partial(os.kill, 0, signal.SIGTERM)]
    forks = [Fork("part", way, log) for way in ways]
    print([fork.wait() for fork in forks], [fork.poll() for fork in forks])
"""


class Launcher:
    """A launcher of one part, running in its own process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        words = [sys.executable, "-c", PROGRAM, str(folder)]
        with (folder / "said").open("wb") as said:
            # The tests may run with SIGHUP ignored, for example under `nohup`.
            words = ["env", "--default-signal=HUP", *words]
            self.process = subprocess.Popen(words, cwd=ROOT, stdout=said)
        eventually(lambda: self.starts() and (folder / "grandchild").exists())

    def starts(self) -> list[int]:
        path = self.folder / "starts"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def has_started(self, times: int) -> bool:
        return len(self.starts()) == times

    def grandchild(self) -> int:
        return int((self.folder / "grandchild").read_text())

    def said(self) -> str:
        return (self.folder / "said").read_text()


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    """Yield a running launcher."""
    found = Launcher(tmp_path)
    yield found
    found.process.kill()
    found.process.wait()
    with contextlib.suppress(ProcessLookupError):
        os.kill(found.grandchild(), signal.SIGKILL)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_part_that_is_killed_starts_again(launcher: Launcher) -> None:
    os.kill(launcher.starts()[0], signal.SIGKILL)
    eventually(lambda: len(launcher.starts()) == 2)
    assert "part was killed by SIGKILL; starting it again" in launcher.said()


def test_what_a_killed_part_started_is_ended(launcher: Launcher) -> None:
    orphan = launcher.grandchild()
    os.kill(launcher.starts()[0], signal.SIGKILL)
    eventually(lambda: not is_alive(orphan))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_stop_stops_everything(launcher: Launcher, number: int) -> None:
    grandchild = launcher.grandchild()
    launcher.process.send_signal(number)
    assert launcher.process.wait(60) == 0
    assert not is_alive(launcher.starts()[0])
    eventually(lambda: not is_alive(grandchild))


def test_a_killed_launcher_takes_its_parts_along(launcher: Launcher) -> None:
    launcher.process.kill()
    eventually(lambda: not is_alive(launcher.starts()[0]))


def test_a_part_that_keeps_dying_is_started_less_and_less_often(launcher: Launcher) -> None:
    began = time.monotonic()
    for times in range(1, 5):
        eventually(partial(launcher.has_started, times))
        os.kill(launcher.starts()[-1], signal.SIGKILL)
    eventually(lambda: "in 1 s" in launcher.said())
    assert time.monotonic() - began > 0.5


def test_a_command_that_fails_tells_what_it_said_this_time(tmp_path: Path) -> None:
    words = [sys.executable, "-c", FAILING, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True)

    assert done.stderr == b"first\nsecond\n"


def test_a_slow_command_says_what_it_does(tmp_path: Path) -> None:
    words = [sys.executable, "-c", SLOW, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True)

    assert "migrate, 0 s: Applying one" in done.stdout
    assert "Applying two" in done.stdout


def test_a_long_log_is_moved_aside_while_its_part_runs(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", CHATTY, str(tmp_path)], cwd=ROOT, check=True)

    logs = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert set(logs) == {"part.log", "part.log.1"}
    for text in logs.values():
        assert set(text.splitlines()) <= {"a line of the log"}
        assert len(text) < 100_000


def test_a_copy_of_the_launcher_ends_as_a_program_does(tmp_path: Path) -> None:
    words = [sys.executable, "-c", FORKING, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout == "[0, 1, 3, -15] [0, 1, 3, -15]\n"
    log = (tmp_path / "log").read_text()
    # Its name; and no file of the launcher is open, such as the lock (3 lists the folder).
    assert "part ['0', '1', '2', '3']\nat its end\n" in log
    assert "ValueError: broken" in log
