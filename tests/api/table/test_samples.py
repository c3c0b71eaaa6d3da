"""The copyable calls of the documentation: each runs unchanged, in its own language."""

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import playwright
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections

from api.operations import Operation
from api.reference import sample_calls
from api.v1.router import OPERATIONS
from tests.api.asking import Client, a_client
from tests.api.test_contract import wrong_members

LANGUAGES = ("curl", "Python", "JavaScript")
# The Node.js runtime that comes with the browser driver.
NODE = Path(playwright.__file__).parent / "driver" / "node"
# Used if the system has no curl: implements as much of it as our commands use.
CURL = f"""#!{sys.executable}
import argparse
from urllib.request import Request, urlopen
words = argparse.ArgumentParser()
words.add_argument("address")
words.add_argument("-X", dest="method", default="GET")
words.add_argument("-H", dest="headers", action="append", default=[])
words.add_argument("-d", dest="data")
said = words.parse_args()
data = said.data.encode() if said.data else None
headers = dict(line.split(": ", 1) for line in said.headers)
print(urlopen(Request(said.address, data, headers, method=said.method)).read().decode())
"""


class Quiet(WSGIRequestHandler):
    """Does not log requests."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def served(settings: Any) -> Iterator[str]:
    """The API on its own port, as named in the examples."""
    server = make_server("localhost", 0, WSGIHandler(), handler_class=Quiet)

    def serve() -> None:
        server.serve_forever(poll_interval=0.05)
        connections.close_all()

    serving = threading.Thread(target=serve)
    serving.start()
    settings.BASE_URL = f"http://localhost:{server.server_port}"
    yield settings.BASE_URL
    server.shutdown()
    serving.join()
    server.server_close()


def run(words: list[str], secret: str, folder: Path) -> str:
    path = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{folder}"
    done = subprocess.run(
        words, env={"PATH": path, sample_calls.VARIABLE: secret},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def ran_in(language: str, text: str, secret: str, folder: Path) -> Any:
    """Run a sample unchanged except for its output, and return the response."""
    if language == "curl":
        fallback = folder / "curl"
        fallback.write_text(CURL)
        fallback.chmod(fallback.stat().st_mode | stat.S_IXUSR)
        return json.loads(run(["sh", "-c", text], secret, folder))
    if language == "Python":
        shown = text.replace("print(json.load(answer))", "print(answer.read().decode())")
        return json.loads(run([sys.executable, "-c", shown], secret, folder))
    shown = text.replace("await answer.json()", "await answer.text()")
    return json.loads(run([str(NODE), "--input-type=module", "-e", shown], secret, folder))


def shows_nothing(language: str, text: str, secret: str, folder: Path) -> None:
    """Run a sample with an empty response, which shows the status at most."""
    if language == "curl":
        with pytest.raises(json.JSONDecodeError):
            ran_in(language, text, secret, folder)
    else:
        assert ran_in(language, text, secret, folder) == 204


def in_every_language() -> Iterator[Any]:
    """Yield each row and language: the first of each kind now, the others in `make check`."""
    seen = set[tuple[str, str]]()
    for number, row in enumerate(OPERATIONS):
        for place, language in enumerate(LANGUAGES):
            kind = (f"{row.method} {row.status} {bool(row.body)}", language)
            in_turn = place == number % len(LANGUAGES) and kind not in seen
            seen |= {kind} if in_turn else set()
            marks = [] if in_turn else [pytest.mark.check]
            yield pytest.param(row, language, marks=marks, id=f"{row.name}-{language}")


@pytest.mark.parametrize(("row", "language"), list(in_every_language()))
def test_every_sample_runs(row: Operation, language, served, api, tmp_path):
    plain = a_client()
    key_id, _, secret = plain.partition(":")
    samples = sample_calls.samples(row, key_id)
    (text,) = (one.text for one in samples if one.language == language)
    # The example's ids do not exist, so replace them by the caller's own.
    text = Client(api, plain).with_own_ids(row, text)

    assert served in text
    assert not any(named in text for named in row.example.names.values())
    if row.status == 204:
        shows_nothing(language, text, secret, tmp_path)
        return
    answer = ran_in(language, text, secret, tmp_path)
    assert list(wrong_members(row.answer(), answer)) == []
    # The field that identifies the response.
    for name in answer.keys() & {"object", "message"}:
        assert answer[name] == row.example.answer[name]
    assert answer.keys() & {"request_id", "success"}


def test_no_sample_holds_a_secret():
    for row in OPERATIONS:
        for sample in sample_calls.samples(row, "svc_test_1234567890abcdef"):
            assert "svc_test_1234567890abcdef:" in sample.text
            assert sample_calls.VARIABLE in sample.text
            assert "YOUR_KEY_ID" not in sample.text
        assert all("YOUR_KEY_ID" in sample.text for sample in sample_calls.samples(row))
