"""Supervision: start the parts, start again what dies, stop all of them whatever happens to us."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from console.launch.errors import Trouble

# Says in a process's environment to which place it belongs.
MARK = "ACCESS_CONSOLE_PLACE"
_PR_SET_PDEATHSIG = 1
_STEADY = 30.0  # seconds after which a part counts as well again
_LONGEST_WAIT = 10.0
_ECHO = 0.5
_BIGGEST_LOG = 20 * 1024 * 1024


class Stopped(Exception):
    """Somebody asked us to stop."""


@dataclass
class Part:
    """One program that we keep alive."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    stop_with: int = signal.SIGTERM
    patience: float = 10.0
    prepare: Callable[[], None] = lambda: None
    process: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    start_at: float = 0.0
    failures: int = field(default=0)


class Supervisor:
    """Keeps parts alive, in the order in which they were added; stops them the other way round."""

    def __init__(self, logs: Path) -> None:
        self.logs = logs
        self.parts: list[Part] = []
        self.asked_to_stop = 0
        self._asked_at = -_ECHO
        logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._ask_to_stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as `nohup` leaves it
            signal.signal(signal.SIGHUP, self._ask_to_stop)
        if "MAKELEVEL" in os.environ:
            # `make` that is killed must not leave us behind.
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)

    def _ask_to_stop(self, *_: object) -> None:
        """Count requests, but not the echoes of one: a group's signal reaches us twice."""
        if time.monotonic() - self._asked_at > _ECHO:
            self.asked_to_stop += 1
        self._asked_at = time.monotonic()

    def start(self, part: Part) -> Part:
        """Start a part, and keep it alive from now on."""
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
        """Run a command to its end, watching the parts meanwhile; raise when it fails.

        What is shown goes to the screen and not to the log; errors go to the log either way.
        """
        log = self.log_of(name)
        with log.open("ab") as errors:
            begins = errors.tell()
            process = _popen(command, environment, None if shown else errors, errors)
        try:
            while process.poll() is None:
                self.watch_for(0.05)
        except Stopped:
            process.terminate()
            process.wait()
            _end_group(process.pid)
            raise
        if process.returncode:
            sys.stderr.write(_tail(log, begins))
            raise Trouble(f"`{name}` failed; all it said is in {log}.")

    def watch_for(self, seconds: float) -> None:
        """Look after the parts for a while; raise Stopped as soon as somebody asks."""
        until = time.monotonic() + seconds
        while True:
            if self.asked_to_stop:
                raise Stopped
            for part in self.parts:
                self._look_after(part)
            if (left := until - time.monotonic()) <= 0:
                return
            time.sleep(min(0.1, left))

    def stop(self) -> None:
        """Stop everything, last started first; a second request does not wait."""
        for part in reversed(self.parts):
            if part.process is not None and part.process.poll() is None:
                part.process.send_signal(part.stop_with)
                self._wait_for_the_end(part, part.process)
            if part.process is not None:
                _end_group(part.process.pid)

    def log_of(self, name: str) -> Path:
        """Return the part's log, after moving a very long one aside."""
        log = self.logs / f"{name}.log"
        if log.is_file() and log.stat().st_size > _BIGGEST_LOG:
            log.replace(log.with_suffix(".log.1"))
        return log

    def _wait_for_the_end(self, part: Part, process: "subprocess.Popen[bytes]") -> None:
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
            part.process = _popen(part.command, part.environment, output, output)
        part.started = time.monotonic()

    def _look_after(self, part: Part) -> None:
        now = time.monotonic()
        if part.process is None:
            if now >= part.start_at:
                self._spawn(part)
        elif part.process.poll() is not None:
            # What a killed part leaves behind would stand in the way of the next one.
            _end_group(part.process.pid)
            part.failures = 0 if now - part.started > _STEADY else part.failures + 1
            wait = min(_LONGEST_WAIT, 0.25 * 2 ** (part.failures - 1)) if part.failures > 1 else 0.0
            say(
                f"{part.name} {_how_it_ended(part.process.returncode)}; starting it again"
                + (f" in {wait:g} s" if wait else "")
            )
            part.process, part.start_at = None, now + wait


def _popen(
    command: Sequence[str],
    environment: Mapping[str, str],
    output: BinaryIO | None,
    errors: BinaryIO,
) -> "subprocess.Popen[bytes]":
    """Start a program in a session of its own: Ctrl-C reaches us, and we stop it in order."""
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


def _tail(log: Path, begins: int, lines: int = 30) -> str:
    said = log.read_bytes()[begins:].decode(errors="replace")
    return "\n".join(said.splitlines()[-lines:]) + "\n"


def say(what: str) -> None:
    """Tell the person at the keyboard, with the time."""
    print(f"{time.strftime('%H:%M:%S')}  {what}", flush=True)


def end_leftovers(mark: str) -> None:
    """Stop what a killed launcher of the same place left running, by the mark it was given."""
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
