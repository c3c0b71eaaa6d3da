"""Files that are meant to hurt: looked at in a process with limits, and answered with words."""

import fcntl
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings

from agreements.verification import inspect_process
from agreements.verification.inspection import inspect
from console.core import clock
from console.core.refusals import TooMany
from tests.agreements.sealing import made
from tests.agreements.verification import vectors
from tests.waiting import PATIENCE


def looked_at(data: bytes, **limits):
    return inspect_process.inspect(data, made.our_trust(), clock.now(), **limits)


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


def test_a_file_that_takes_too_long_is_given_up():
    assert "too long" in looked_at(vectors.sealed(), seconds=0.05).unreadable


def test_a_file_that_is_too_large_is_not_even_started():
    found = looked_at(b"%PDF-1.7\n" + bytes(inspect_process.LARGEST))
    assert "20 MB" in found.unreadable


def test_all_processes_of_a_machine_share_its_few_places(monkeypatch):
    folder = Path(settings.DATA_DIR) / "inspecting"
    looked_at(vectors.sealed())
    assert len(list(folder.iterdir())) == inspect_process.AT_ONCE
    monkeypatch.setattr(inspect_process, "SECONDS", 0.1)
    with ThreadPoolExecutor(1) as somebody:
        # Each opens the files anew, as another process does.
        held = [place.open("w") for place in sorted(folder.iterdir())]
        for place in held:
            fcntl.flock(place, fcntl.LOCK_EX)
        with pytest.raises(TooMany, match="Many files are being checked"):
            looked_at(vectors.sealed())
        monkeypatch.setattr(inspect_process, "SECONDS", PATIENCE)
        waits = somebody.submit(looked_at, vectors.sealed(), seconds=PATIENCE)
        time.sleep(0.2)
        assert not waits.done()
        for place in held:
            place.close()
        assert waits.result(PATIENCE).seals
