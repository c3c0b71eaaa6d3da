"""Check providers of installed packages, and the sample package in `examples/check_provider/`."""

import base64
import hmac
import json
import subprocess
import sys
import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from console.core import clock, installed_classes
from onboarding.checks import asking, connected, runs
from onboarding.checks.providers import CheckResult, LaterCheckProvider
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from tests import factories, installing
from tests.guards.tree import ROOT
from tests.waiting import POLL

SAMPLE = ROOT / "examples/check_provider"
NAME = "example-identity"
SECRET = base64.b64encode(b"signs calls of the service").decode()


@pytest.fixture(autouse=True)
def _nothing_loaded_before():
    installed_classes.made.cache_clear()
    yield
    installed_classes.made.cache_clear()


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    """Install the sample package as an operator does, into a folder."""
    folder = tmp_path_factory.mktemp("installed")
    uv = Path(sys.executable).with_name("uv")
    words = "pip install --offline --no-deps --quiet --target"
    subprocess.run([uv, *words.split(), folder, SAMPLE], check=True)
    return folder


class Service(ThreadingHTTPServer):
    """An identity service whose next answers a test sets; then it repeats the last one."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.asked = [(200, b'{"status": "confirmed"}')], []
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True).start()

    def says(self, *statuses):
        self.answers[:] = [(200, json.dumps({"status": one}).encode()) for one in statuses]


class Handler(BaseHTTPRequestHandler):
    server: Service

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append(
            (self.command, self.path, self.headers["Authorization"], body and json.loads(body))
        )
        answers = self.server.answers
        status, said = answers.pop(0) if len(answers) > 1 else answers[0]
        self.send_response(status)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_POST = answer  # noqa: N815  # the names of the standard library

    def log_message(self, *words):
        pass


@pytest.fixture
def service(sample, monkeypatch, settings):
    server = Service()
    monkeypatch.syspath_prepend(str(sample))
    monkeypatch.setenv("IDENTITY_URL", f"http://127.0.0.1:{server.server_port}/")
    monkeypatch.setenv("IDENTITY_KEY", "a-key")
    monkeypatch.setenv("IDENTITY_CALLBACK_SECRET", f"whsec_{SECRET}")
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    settings.CHECK_PROVIDERS = {"signatory": NAME}
    yield server
    server.shutdown()
    server.server_close()


def signatory(application):
    return application.submission.checks.get(kind="signatory")


def test_the_sample_is_short():
    files = [path for path in SAMPLE.rglob("*") if path.suffix in (".py", ".toml")]
    assert len(files) == 2
    assert all(len(path.read_text().splitlines()) < 100 for path in files)


def test_a_service_of_an_installed_package_confirms_a_signatory(service):
    connected.refuse_unknown()
    application = factories.a_reviewed_application()

    check = signatory(application)
    assert (check.status, check.provider) == (CheckStatus.PASSED, NAME)
    assert check.says == "The service confirmed the person."
    assert application.status == ApplicationStatus.CLEARED
    ((method, path, key, person),) = service.asked
    assert (method, key) == ("POST", "Bearer a-key")
    assert path == f"/identity-verifications/{check.reference}"
    assert person["name"]
    assert person["business"] == f"{application.business.name} Ltd"


@pytest.mark.parametrize(
    ("said", "status"),
    [("mismatch", CheckStatus.FAILED), ("not_found", CheckStatus.NEEDS_REVIEW)],
)
def test_it_passes_nobody_whom_the_service_does_not_confirm(service, said, status):
    service.says(said)
    assert signatory(factories.a_reviewed_application()).status == status


@pytest.mark.parametrize(
    "answer",
    [
        (500, b'{"status": "confirmed"}'),
        (200, b""),
        (200, b"[" * 10_000),
        (200, b"[]"),
        (200, b'{"status": ["confirmed"]}'),
        (200, b'{"status": "other"}'),
    ],
)
def test_an_answer_of_another_form_is_tried_again(service, answer):
    service.answers[:] = [answer]
    assert signatory(factories.a_reviewed_application()).status == CheckStatus.ERRORED


def test_a_result_that_comes_later_is_brought_by_a_signed_call(service):
    service.says("pending", "confirmed")
    application = factories.a_reviewed_application()
    check = signatory(application)
    assert check.status == CheckStatus.RUNNING
    provider = connected.in_use()[NAME]
    assert isinstance(provider, LaterCheckProvider)

    def call(body: bytes, *, at: float = 0.0, secret: str = SECRET, changes=None) -> int:
        sent = str(int(time.time() + at))
        key = base64.b64decode(secret)
        digest = hmac.digest(key, f"msg_1.{sent}.".encode() + body, "sha256")
        headers = {
            "webhook-id": "msg_1",
            "webhook-timestamp": sent,
            "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
        }
        path = reverse("onboarding:result_ready", args=[NAME])
        answer = Client().post(path, body, "application/json", headers=headers | (changes or {}))
        return answer.status_code

    body = json.dumps({"id": check.reference}).encode()
    assert call(body, at=-400) == 403
    assert call(body, secret=base64.b64encode(b"other").decode()) == 403
    assert call(body, changes={"webhook-timestamp": "9" * 5000}) == 403
    assert call(body, changes={"webhook-signature": "v1,\u00e9"}) == 403
    for other in (b"", b"[]", b'{"id": "\\u0000"}', b'{"id": ["x"]}'):
        assert call(other) == 403
    factories.settle_reviews()
    assert signatory(application).status == CheckStatus.RUNNING

    assert call(body) == 204
    factories.settle_reviews()
    assert signatory(application).status == CheckStatus.PASSED
    assert [method for method, *_ in service.asked] == ["POST", "GET"]


# What packages may get wrong


def offer(tmp_path, monkeypatch, source, **more):
    installing.offer(tmp_path, monkeypatch, connected.INSTALLED, source, **more)


GOOD = """
from onboarding.checks.providers import CheckResult
from onboarding.lifecycle import CheckStatus

class Theirs:
    name, simulated = "theirs", False
    def look(self, inquiry):
        return CheckResult(CheckStatus.PASSED, "Found.")
"""


def test_a_package_is_loaded_only_if_the_setting_names_it(tmp_path, monkeypatch, settings):
    offer(tmp_path, monkeypatch, "raise RuntimeError('It was loaded.')")
    settings.CHECK_PROVIDERS = {"registry": "reviewer"}
    connected.refuse_unknown()
    assert "theirs" in installed_classes.names(connected.INSTALLED)
    settings.CHECK_PROVIDERS = {"registry": "theirs"}
    with pytest.raises(
        ImproperlyConfigured, match=r"theirs of one cannot be used\. RuntimeError: It was loaded"
    ):
        connected.refuse_unknown()


@pytest.mark.parametrize(
    "source",
    [
        "",
        "class Theirs: pass",
        GOOD.replace('"theirs"', '"other"'),
        GOOD.replace("def look", "def see"),
        GOOD.replace("def look(self", "def __init__(self, needed): pass\n    def look(self"),
    ],
)
def test_what_is_no_provider_refuses_to_start(tmp_path, monkeypatch, settings, source):
    offer(tmp_path, monkeypatch, source)
    settings.CHECK_PROVIDERS = {"registry": "theirs"}
    with pytest.raises(ImproperlyConfigured, match="theirs"):
        connected.refuse_unknown()


def test_a_missing_variable_refuses_to_start(service, monkeypatch):
    monkeypatch.delenv("IDENTITY_KEY")
    with pytest.raises(ImproperlyConfigured, match=r"example-identity.*IDENTITY_KEY"):
        connected.refuse_unknown()


def test_two_packages_with_one_name_refuse_to_start(tmp_path, monkeypatch, settings):
    offer(tmp_path, monkeypatch, GOOD, packages=("one", "two"))
    settings.CHECK_PROVIDERS = {"registry": "theirs"}
    with pytest.raises(ImproperlyConfigured, match=r"Several packages.*one, two"):
        connected.refuse_unknown()


def test_no_package_replaces_a_provider_of_ours(tmp_path, monkeypatch, settings):
    source = GOOD.replace('"theirs"', '"registers"')
    offer(tmp_path, monkeypatch, source, name="registers")
    settings.CHECK_PROVIDERS = {"registry": "registers"}
    assert connected.provider_of("registry") is connected.PROVIDERS["registers"]


def test_a_simulated_provider_of_a_package_answers_in_demo_mode_only(
    tmp_path, monkeypatch, settings
):
    offer(tmp_path, monkeypatch, GOOD.replace("False", "True"))
    settings.CHECK_PROVIDERS = {"registry": "theirs"}
    assert connected.provider_of("registry").name == "theirs"
    settings.DEMO = False
    assert connected.provider_of("registry") is connected.NOBODY


@pytest.mark.parametrize("broken", ["raise KeyError('status')", "return None", "return True"])
def test_an_adapter_that_fails_is_tried_again(tmp_path, monkeypatch, settings, broken):
    good = 'return CheckResult(CheckStatus.PASSED, "Found.")'
    offer(tmp_path, monkeypatch, GOOD.replace(good, broken))
    settings.CHECK_PROVIDERS = {"registry": "theirs"}
    application = factories.a_reviewed_application()
    check = application.submission.checks.get(kind="registry")
    assert (check.status, application.status) == (CheckStatus.ERRORED, ApplicationStatus.SUBMITTED)

    provider = connected.provider_of("registry")
    found = CheckResult(CheckStatus.PASSED, "Found.")
    monkeypatch.setattr(provider, "look", lambda inquiry: found, raising=False)
    with time_machine.travel(clock.now() + asking.LONGEST_PAUSE + timedelta(hours=6), tick=False):
        assert runs.run(check).status == CheckStatus.PASSED
