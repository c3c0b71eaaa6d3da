"""The example of an installation: it passes the deploy check, and nginx tells clients apart."""

import base64
import http.client
import json
import re
import secrets
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from console.audit.models import Entry
from console.launch.check import CheckStep, failed, steps
from console.launch.setup import PROGRAMS, ROOT
from tests import factories
from tests.proofs import Proven, proof
from tests.services import Services, free_port
from tests.waiting import eventually

DEPLOY = ROOT / "deploy"
HOST = "console.example.com"
FORGED = "203.0.113.9"
TOKEN = "token-that-nobody-else-may-read"


def filled() -> dict[str, str]:
    """Return the settings of the examples as a shell reads them, with their blanks filled in."""
    numbered = "1:" + base64.b64encode(secrets.token_bytes(32)).decode()
    blanks = {"SECRET_KEY": secrets.token_urlsafe(50), "VAULT_KEYS": numbered}
    files = [DEPLOY / f"{name}.env.example" for name in ("console", "site", "owner")]
    read = " ".join(f". {file};" for file in files)
    said = subprocess.run(
        ["env", "-i", "sh", "-c", f"set -a; {read} env -0"], capture_output=True, check=True
    )
    found = dict(
        line.split("=", 1)
        for line in said.stdout.decode().split("\0")
        if re.match("[A-Z_]+=", line)
    )
    return found | blanks | {"KEY_PEPPER": numbered}


def test_the_examples_pass_the_deploy_check(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DJANGO_ALLOW_ASYNC_UNSAFE", "DEMO", "HTTPS", "STATICFILES_STORAGE"):
        monkeypatch.delenv(name)
    deployment = next(step for step in steps() if step.name == "deployment")
    example = CheckStep("example", deployment.command, filled())
    assert failed([example]) == []
    unsafe = CheckStep("unsafe", deployment.command, filled() | {"TRUSTED_PROXIES": ""})
    assert failed([unsafe]) == ["unsafe"]


class Proxy:
    """Debian's nginx with the example's own server blocks, on ports of the test."""

    def __init__(self, folder: Path, console: int) -> None:
        self.folder, self.console = folder, console
        self.plain, self.secure = free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._make_certificate()
        (self.folder / "nginx.conf").write_text(self._settings())
        program = next(path for path in map(shutil.which, PROGRAMS["nginx-light"]) if path)
        words = [program, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        self.process = subprocess.Popen([*words, "-e", str(self.folder / "error.log")])
        eventually(self._answers)

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)

    def ask(self, client: str, method: str, path: str, body: str = "", **headers: str) -> "Answer":
        """Ask from an address of loopback, with what a liar would claim about it."""
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        to = http.client.HTTPSConnection(HOST, context=context, timeout=60)
        link = socket.create_connection(("127.0.0.1", self.secure), 60, (client, 0))
        to.sock = context.wrap_socket(link, server_hostname=HOST)
        lies = {
            "X-Forwarded-For": FORGED,
            "X-Forwarded-Proto": "http",
            "Forwarded": f"for={FORGED}",
        }
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        to.request(method, path, body, {"Host": HOST, **lies, **kind, **named})
        answer = to.getresponse()
        found = Answer(answer.status, answer.headers, answer.read().decode(errors="replace"))
        to.close()
        return found

    def _settings(self) -> str:
        """Return the example with the paths and ports of this test, and what it stands in."""
        example = (DEPLOY / "nginx.conf.example").read_text()
        for here, there in (
            ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.secure} ssl;"),
            ("/etc/ssl/console.example.com.pem", str(self.folder / "certificate.pem")),
            ("/etc/ssl/private/console.example.com.key", str(self.folder / "key.pem")),
            ("server 127.0.0.1:8000;", f"server 127.0.0.1:{self.console};"),
            ("/var/log/nginx/access-console.log", str(self.folder / "console.log")),
        ):
            assert here in example, here
            example = example.replace(here, there)
        kept = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{name}_temp_path {self.folder}/{name};\n" for name in kept)
        user = "user root;\n" if Path("/proc/self").stat().st_uid == 0 else ""
        return (
            f"{user}daemon off;\npid {self.folder}/nginx.pid;\nworker_processes 1;\n"
            f"events {{}}\nhttp {{\naccess_log access.log;\n{temporary}{example}}}\n"
        )

    def _make_certificate(self) -> None:
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        subprocess.run(
            [
                *("openssl", *words.split(), "-subj", f"/CN={HOST}"),
                *("-addext", f"subjectAltName=DNS:{HOST}"),
                *("-keyout", str(self.folder / "key.pem")),
                *("-out", str(self.folder / "certificate.pem")),
            ],
            check=True,
            capture_output=True,
        )

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "error.log").read_text()
        with socket.socket() as trial:
            return trial.connect_ex(("127.0.0.1", self.secure)) == 0


class Answer:
    """What came back."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, text: str) -> None:
        self.status, self.headers, self.text = status, headers, text

    def cookies(self) -> str:
        return "; ".join(one.partition(";")[0] for one in self.headers.get_all("Set-Cookie") or ())


@pytest.fixture
def proxy(services: Services, tmp_path: Path) -> Iterator[Proxy]:
    """A console as the examples say, behind nginx as its example says."""
    said = filled()
    named = ("ALLOWED_HOSTS", "TRUSTED_PROXIES", "BASE_URL")
    services.start("web", HTTPS="1", DEMO="0", **{name: said[name] for name in named})
    proxy = Proxy(tmp_path, services.port)
    proxy.start()
    yield proxy
    proxy.stop()


def sign_in(proxy: Proxy, client: str, email: str, password: str) -> Answer:
    """Sign in as a browser at that address would."""
    page = proxy.ask(client, "GET", "/sign-in/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token is not None, page.text[:500]
    typed = urlencode({"csrfmiddlewaretoken": token[1], "email": email, "password": password})
    sent = {"Cookie": page.cookies(), "Origin": f"https://{HOST}"}
    return proxy.ask(client, "POST", "/sign-in/", typed, **sent)


@pytest.mark.services
@proof(
    "R14",
    "clients behind a real proxy",
    small=2,
    full=32,
    asked="each client its own address, 0 claimed ones believed",
)
def test_each_client_has_its_own_address(proxy: Proxy, proven: Proven) -> None:
    password = "a long password of nobody else"
    clients = [f"127.0.0.{number}" for number in range(2, 2 + proven.size)]
    seen = {}
    for client in clients:
        person = factories.a_person(password=password)
        assert sign_in(proxy, client, person.email, password).status == 302
        entry = Entry.objects.get(code="person.signed_in", actor_id=person.public_id)
        seen[client] = json.loads(entry.body)["body"]["request"]["ip"]

    own = sum(client == found for client, found in seen.items())
    believed = sum(found == FORGED for found in seen.values())
    told = f"{own} of {len(clients)} clients have their own address, {believed} claimed believed"
    proven.reached(told, met=own == len(clients) and not believed)


@pytest.mark.services
def test_plain_http_leads_to_tls_and_cookies_are_safe(proxy: Proxy) -> None:
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", "/sign-in/", headers={"Host": HOST})
    answer = plain.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/sign-in/")
    plain.close()

    page = proxy.ask("127.0.0.2", "GET", "/sign-in/")
    assert page.status == 200
    assert "max-age=63072000" in page.headers["Strict-Transport-Security"]
    assert all(cookie.startswith("__Host-") for cookie in page.headers.get_all("Set-Cookie"))


@pytest.mark.services
def test_a_token_in_an_address_stands_in_no_log(proxy: Proxy, services: Services) -> None:
    path = f"/sign-in/reset/usr_x/{TOKEN}/"
    from_there = {"Referer": f"https://{HOST}{path}"}
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=30)
    plain.request("GET", path, headers={"Host": HOST})
    assert plain.getresponse().status == 301
    plain.close()
    assert proxy.ask("127.0.0.2", "GET", path, **from_there).status < 500
    services.stop("web")
    assert proxy.ask("127.0.0.2", "GET", path, **from_there).status == 502
    logs = [file for file in proxy.folder.rglob("*") if file.is_file()]
    assert proxy.folder / "console.log" in logs
    assert not [file for file in logs if TOKEN.encode() in file.read_bytes()]
