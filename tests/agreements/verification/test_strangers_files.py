"""Malicious files: checked in a process with limits, and answered with a sentence."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agreements.verification import inspect_process, inspect_server, inspect_worker
from agreements.verification.findings import Findings
from agreements.verification.inspection import inspect
from console.core import clock
from console.core.isolation import LARGEST_FILE, isolation
from console.launch.setup import ROOT
from tests.agreements.sealing import made
from tests.agreements.verification import vectors
from tests.waiting import PATIENCE, eventually


def looked_at(data: bytes, **limits):
    return inspect_process.inspect(data, made.our_trust(), clock.now(), **limits)


def looking() -> list[int]:
    """Return the processes that are checking a file right now."""
    pid = inspect_server.server.pid
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())] if pid else []


def test_a_process_finds_what_the_library_finds():
    at = clock.now()
    alone = inspect_process.inspect(vectors.sealed(), made.our_trust(), at)
    assert alone == inspect(vectors.sealed(), made.our_trust(), at)
    assert alone.root


@pytest.mark.parametrize("name", vectors.HOSTILE)
def test_a_file_meant_to_hurt_is_answered_in_time(name):
    began = time.monotonic()
    found = looked_at(vectors.HOSTILE[name]())
    assert found.unreadable or not found.seals
    assert time.monotonic() - began < inspect_process.SECONDS + PATIENCE


def test_a_broken_file_is_refused_in_our_words():
    assert looked_at(b"%PDF-1.4 hello\n%%EOF").unreadable == "its structure is broken"


def test_a_file_that_takes_too_long_is_given_up_and_its_process_ended():
    found = looked_at(vectors.many_pages(), seconds=0.02)
    assert "too long" in found.unreadable
    assert found.gave_up
    eventually(lambda: not looking())


def test_a_file_whose_process_ends_without_an_answer_is_given_up():
    eventually(lambda: not looking())
    with inspect_server.server.connect() as process:
        (pid,) = looking()
        os.kill(pid, signal.SIGKILL)
        question = {"until": time.monotonic() + 5}
        found = inspect_process.ask(process, Findings(""), question, b"%PDF")
    assert "too much memory" in found.unreadable
    assert found.gave_up


def test_the_next_file_is_looked_at_when_what_forks_was_killed():
    looked_at(vectors.sealed())
    assert inspect_server.server.pid
    os.kill(inspect_server.server.pid, signal.SIGKILL)
    assert looked_at(vectors.sealed()).root


@pytest.mark.parametrize("stopped", [True, False])
def test_files_are_looked_at_while_what_forks_is_killed(stopped):
    looked_at(vectors.sealed())
    assert inspect_server.server.pid
    if stopped:
        os.kill(inspect_server.server.pid, signal.SIGSTOP)
    with ThreadPoolExecutor(4) as asking:
        asked = [asking.submit(looked_at, vectors.sealed()) for _ in range(4)]
        os.kill(inspect_server.server.pid, signal.SIGKILL)
        assert all(one.result().root for one in asked)


@pytest.mark.skipif(not isolation(), reason="this system forbids namespaces")
def test_what_looks_at_a_file_is_kept_apart_from_the_next_and_from_what_forks():
    eventually(lambda: not looking())
    with inspect_server.server.connect(), inspect_server.server.connect():
        pids = [*looking(), inspect_server.server.pid]
        assert len({Path(f"/proc/{pid}/ns/user").readlink() for pid in pids}) == len(pids) == 3


def test_what_looks_at_a_file_has_limits_no_secrets_and_no_way_to_the_next_file():
    eventually(lambda: not looking())
    with inspect_server.server.connect():
        (pid,) = looking()
        process = Path(f"/proc/{pid}")
        limits = dict(
            re.findall(r"^Max (.+?)  +(\w+)", (process / "limits").read_text(), re.MULTILINE)
        )
        assert limits["address space"] == str(inspect_worker.MEMORY)
        assert limits["cpu time"] == str(inspect_worker.CPU_SECONDS)
        assert limits["file size"] == limits["core file size"] == "0"
        opened = [str(file.readlink()) for file in (process / "fd").iterdir()]
        assert sum(name.startswith("socket:") for name in opened) == 1
        assert {name for name in opened if not name.startswith("socket:")} <= {os.devnull}
        known = {
            pair.partition(b"=")[0] for pair in (process / "environ").read_bytes().split(b"\0")
        }
        assert not {name for name in known if b"SECRET" in name or b"DATABASE" in name}
        assert b"PYTHONPATH" in known


def test_what_forks_ends_with_who_asks():
    words = (
        "import os, signal\n"
        "from agreements.verification.inspect_server import server\n"
        "server.connect().close()\n"
        "print(server.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    said = subprocess.run([sys.executable, "-c", words], cwd=ROOT, stdout=subprocess.PIPE)
    forks = int(said.stdout)
    eventually(lambda: not Path(f"/proc/{forks}").exists())


def test_a_file_that_is_too_large_is_not_even_started():
    found = looked_at(b"%PDF-1.7\n" + bytes(LARGEST_FILE))
    assert "20 MB" in found.unreadable
