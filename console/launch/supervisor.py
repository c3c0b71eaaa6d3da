"""Process supervision: starts, restarts and stops all processes."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from console.core.processes import end_with_parent
from console.launch.errors import Trouble
from console.launch.forks import Fork

# Environment variable that marks which data folder a process belongs to.
MARK = "ACCESS_CONSOLE_PLACE"
_STEADY = 30.0  # seconds without failure after which the restart delay is reset
_LONGEST_WAIT = 10.0
_ECHO = 0.5
_BIGGEST_LOG = 20 * 1024 * 1024
_LOOK_AT_LOGS = 10.0
_SAY_AFTER = 10.0  # seconds that a command may be silent


class Stopped(Exception):
    """The user asked us to stop."""


@dataclass
class Part:
    """One process to keep running: a program, or a function that a copy of this process calls."""

    name: str
    command: Sequence[str] | Callable[[], object]
    environment: Mapping[str, str] = field(default_factory=dict)  # of a program
    stop_with: int = signal.SIGTERM
    patience: float = 10.0
    prepare: Callable[[], None] = lambda: None
    process: "subprocess.Popen[bytes] | Fork | None" = None
    started: float = 0.0
    start_at: float = 0.0
    failures: int = 0


class Supervisor:
    """Keeps processes running. Starts them in order, and stops them in reverse order."""

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self.parts: list[Part] = []
        self.asked_to_stop = 0
        self._asked_at = -_ECHO
        self._rotate_at = 0.0
        logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask_to_stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # `nohup` ignores it
            signal.signal(signal.SIGHUP, self._ask_to_stop)
        if "MAKELEVEL" in os.environ:
            # If `make` is killed, stop too.
            end_with_parent()

    def _ask_to_stop(self, *_: object) -> None:
        """Count requests to stop, once per signal: a process group's signal arrives twice."""
        if time.monotonic() - self._asked_at > _ECHO:
            self.asked_to_stop += 1
        self._asked_at = time.monotonic()

    def start(self, part: Part) -> Part:
        """Start a process, and keep it running from now on."""
        self.parts.append(part)
        self._spawn(part)
        return part

    def run(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        shown: bool = False,
    ) -> None:
        """Run a command to its end while watching the processes. Raise Trouble if it fails.

        With `shown`, its output goes to the screen instead of the log. Errors always go to the log.
        Otherwise say every few seconds what it does.
        """
        log = self.log_of(name)
        with log.open("ab") as errors:
            begins = errors.tell()
            process = _popen(command, environment, None if shown else errors, errors)
        told = began = time.monotonic()
        try:
            while process.poll() is None:
                self.watch_for(0.05)
                if not shown and (now := time.monotonic()) - told > _SAY_AFTER:
                    told = now
                    say(f"  {name}, {now - began:.0f} s: {_last_line(log, begins)}")
        except Stopped:
            process.terminate()
            process.wait()
            _end_group(process.pid)
            raise
        if process.returncode:
            sys.stderr.write(_tail(log, begins))
            raise Trouble(f"`{name}` failed; all it said is in {log}.")

    def watch_for(self, seconds: float) -> None:
        """Watch the processes for this long. Raise Stopped as soon as the user asks to stop."""
        until = time.monotonic() + seconds
        while True:
            if self.asked_to_stop:
                raise Stopped
            for part in self.parts:
                self._look_after(part)
            self._rotate_logs()
            if (left := until - time.monotonic()) <= 0:
                return
            time.sleep(min(0.1, left))

    def stop(self) -> None:
        """Stop everything, last started first. A second request kills instead of waiting."""
        for part in reversed(self.parts):
            if part.process is not None and part.process.poll() is None:
                part.process.send_signal(part.stop_with)
                self._wait_for_the_end(part, part.process)
            if part.process is not None:
                _end_group(part.process.pid)

    def log_of(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def _rotate_logs(self) -> None:
        """Move the contents of long logs aside, into one file for each log.

        The processes keep writing to the same open file, at its end. A line that is written between
        the copy and the cut is lost.
        """
        if (now := time.monotonic()) < self._rotate_at:
            return
        self._rotate_at = now + _LOOK_AT_LOGS
        for log in self.logs.glob("*.log"):
            if log.stat().st_size > _BIGGEST_LOG:
                shutil.copyfile(log, log.with_suffix(".log.1"))
                os.truncate(log, 0)

    def _wait_for_the_end(self, part: Part, process: "subprocess.Popen[bytes] | Fork") -> None:
        until, asked = time.monotonic() + part.patience, self.asked_to_stop
        while process.poll() is None:
            if time.monotonic() > until or self.asked_to_stop > max(asked, 1):
                _end_group(process.pid)
                process.wait()
                return
            time.sleep(0.02)

    def _spawn(self, part: Part) -> None:
        part.prepare()
        with self.log_of(part.name).open("ab") as output:
            if callable(part.command):
                part.process = Fork(part.name, part.command, output)
            else:
                part.process = _popen(part.command, part.environment, output, output)
        part.started = time.monotonic()

    def _look_after(self, part: Part) -> None:
        now = time.monotonic()
        if part.process is None:
            if now >= part.start_at:
                self._spawn(part)
        elif (status := part.process.poll()) is not None:
            # Child processes of a killed process could block its successor.
            _end_group(part.process.pid)
            part.failures = 0 if now - part.started > _STEADY else part.failures + 1
            wait = min(_LONGEST_WAIT, 0.25 * 2 ** (part.failures - 1)) if part.failures > 1 else 0.0
            say(
                f"{part.name} {_how_it_ended(status)}; starting it again"
                + (f" in {wait:g} s" if wait else "")
            )
            part.process, part.start_at = None, now + wait


def _popen(
    command: Sequence[str],
    environment: Mapping[str, str],
    output: BinaryIO | None,
    errors: BinaryIO,
) -> "subprocess.Popen[bytes]":
    """Start a program in its own session, so Ctrl-C reaches only us and we stop it in order."""
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )


def _end_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _how_it_ended(code: int) -> str:
    if code < 0:
        return f"was killed by {signal.Signals(-code).name}"
    return f"ended with status {code}"


def _tail(log: Path, begins: int) -> str:
    said = log.read_bytes()[begins:].decode(errors="replace")
    return "\n".join(said.splitlines()[-30:]) + "\n"


def _last_line(log: Path, begins: int) -> str:
    """Return what a command said last, or that it works on."""
    said = log.read_bytes()[begins:].decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(said) if line.strip()), "working ...")


def say(what: str) -> None:
    """Print a message with the time."""
    print(f"{time.strftime('%H:%M:%S')}  {what}", flush=True)


def end_leftovers(mark: str) -> None:
    """Stop processes that a killed launcher of the same folder left running."""
    wanted = f"{MARK}={mark}\0".encode()
    for number in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + 10
        if not (left := _processes_with(wanted)):
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
        while _processes_with(wanted) and time.monotonic() < until:
            time.sleep(0.05)


def _processes_with(wanted: bytes) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes() and int(folder.name) != os.getpid():
                found.append(int(folder.name))
    return found
