"""Sample calls of the documentation: each runs unchanged in its own language."""

import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import playwright
import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections

from api.operations import Operation
from api.reference import sample_calls, walkthroughs
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
words.add_argument("--fail-with-body", action="store_true")
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
    """The API on its own port, at the URL used in the examples."""
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


def run(
    words: list[str], variables: Mapping[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    path = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{folder}"
    return subprocess.run(
        words, env={"PATH": path, **variables},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def ran_in(
    language: str, text: str, variables: Mapping[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run a sample unchanged, except that it prints the raw response."""
    if language == "curl":
        fallback = folder / "curl"
        fallback.write_text(CURL)
        fallback.chmod(fallback.stat().st_mode | stat.S_IXUSR)
        return run(["sh", "-c", text], variables, folder)
    if language == "Python":
        shown = text.replace("print(json.load(answer))", "print(answer.read().decode())")
        return run([sys.executable, "-c", shown], variables, folder)
    shown = text.replace("await answer.json()", "await answer.text()")
    return run([str(NODE), "--input-type=module", "-e", shown], variables, folder)


def text_in(language: str, row: Operation, key_id: str) -> str:
    samples = sample_calls.samples(row, key_id)
    return next(one.text for one in samples if one.language == language)


# Each product in one language.
PRODUCTS = dict.fromkeys(row.product for row in OPERATIONS)
IN_TURN = list(zip(PRODUCTS, itertools.cycle(LANGUAGES)))


@pytest.mark.check
@pytest.mark.parametrize(("product", "language"), IN_TURN)
def test_the_samples_of_a_page_run_in_its_order(product, language, served, unlimited, tmp_path):
    key_id, _, secret = a_client().partition(":")
    variables = {sample_calls.VARIABLE: secret}
    for number, step in enumerate(walkthroughs.of_product(product), 1):
        row = step.operation
        # Two calls of an operation belong to two orders, otherwise the second is a retry.
        variables |= {"ORDER_NUMBER": str(number)}
        text = text_in(language, row, key_id)
        assert served in text
        done = ran_in(language, text, variables, tmp_path)
        assert done.returncode == 0, (row.name, done.stdout, done.stderr)
        if row.status == 204:
            # curl may print nothing; the others print the status.
            assert done.stdout.strip() in ("204", "")
            continue
        answer = json.loads(done.stdout)
        assert list(wrong_members(row.answer(), answer)) == []
        # The field that describes the response.
        for name in answer.keys() & {"object", "message"}:
            assert answer[name] == row.example.answer[name]
        assert answer.keys() & {"request_id", "success"}
        variables |= {one.name: one.value(answer) for one in walkthroughs.made_by(row)}


@pytest.mark.parametrize("product", ["checkout", "refunds"])
def test_the_calls_of_a_page_work_again(product, api, unlimited):
    client = Client(api, a_client())
    values: dict[str, str] = {}
    for step in walkthroughs.of_product(product) * 3:
        row = step.operation
        text = json.dumps([row.example_path, row.example.body])
        for made, variable in walkthroughs.needed_by(row).items():
            text = text.replace(made, values[variable.name])
        reply = client.ask(row, *json.loads(text))
        assert reply.status == row.status, (row.name, reply.json)
        values |= {one.name: one.value(reply.json) for one in walkthroughs.made_by(row)}


def test_every_operation_is_in_the_order_of_its_page():
    for row in OPERATIONS:
        steps = [step.operation.name for step in walkthroughs.of_product(row.product)]
        assert row.name in steps, row.name
        for variable in walkthroughs.needed_by(row).values():
            made = variable.operation.name
            assert steps.index(made) < steps.index(row.name), row.name
        # Every ID in the URL is real or comes from an earlier call.
        ids = {name for name in row.example.names.values() if "_" in name}
        assert ids <= walkthroughs.needed_by(row).keys(), row.name


@pytest.mark.check
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_sample_fails_and_says_why(language, served, tmp_path):
    key_id, _, secret = a_client().partition(":")
    row = next(row for row in OPERATIONS if row.name == "customers.read")
    variables = {sample_calls.VARIABLE: secret, "CUSTOMER_ID": "cus_nobody"}

    done = ran_in(language, text_in(language, row, key_id), variables, tmp_path)

    assert done.returncode != 0
    if language != "curl" or shutil.which("curl"):
        assert "NOT_FOUND" in done.stdout + done.stderr


def test_no_sample_holds_a_secret():
    for row in OPERATIONS:
        for sample in sample_calls.samples(row, "svc_test_1234567890abcdef"):
            assert "svc_test_1234567890abcdef:" in sample.text
            assert sample_calls.VARIABLE in sample.text
            assert "YOUR_KEY_ID" not in sample.text
        assert all("YOUR_KEY_ID" in sample.text for sample in sample_calls.samples(row))
