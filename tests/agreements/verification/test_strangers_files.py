"""Files that are meant to hurt: looked at in a process with limits, and answered with words."""

import math
import re
import time

import pytest

from agreements.verification import inspect_process
from agreements.verification.inspection import inspect
from console.core import clock
from console.launch.setup import ROOT
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


def test_a_broken_file_is_refused_in_our_words():
    assert looked_at(b"%PDF-1.4 hello\n%%EOF").unreadable == "its structure is broken"


def test_a_file_that_takes_too_long_is_given_up():
    assert "too long" in looked_at(vectors.sealed(), seconds=0.05).unreadable


def test_a_file_that_is_too_large_is_not_even_started():
    found = looked_at(b"%PDF-1.7\n" + bytes(inspect_process.LARGEST))
    assert "20 MB" in found.unreadable


def test_the_last_in_line_is_answered_before_a_proxy_gives_up():
    said = (ROOT / "deploy/nginx.conf.example").read_text()
    proxy = int(re.findall(r"proxy_read_timeout (\d+)s;", said)[0])
    queue = inspect_process.QUEUE
    rounds = 1 + math.ceil(queue.waiting / queue.at_once)
    # The page itself takes a moment of each round.
    assert rounds * (inspect_process.SECONDS + 1) <= proxy
