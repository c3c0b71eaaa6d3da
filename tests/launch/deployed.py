"""The console deployed as the examples in deploy/ show: their settings filled in, behind nginx."""

import http.client
import re
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from console import env
from console.launch.setup import ROOT
from console.launch.system_packages import PROGRAMS
from tests.server.wire import HOST, connected
from tests.services import Services, free_port
from tests.waiting import eventually

DEPLOY = ROOT / "deploy"
FORGED = "203.0.113.9"


def filled() -> dict[str, str]:
    """Return the example settings as a shell reads them, with generated secrets."""
    blanks = {"SECRET_KEY": secrets.token_urlsafe(50)}
    blanks |= {name: env.new_key() for name in ("VAULT_KEYS", "KEY_PEPPER")}
    files = [DEPLOY / f"{name}.env.example" for name in ("console", "site", "owner")]
    read = 'set -a; for file; do . "$file"; done; env -0'
    said = subprocess.run(
        ["env", "-i", "sh", "-c", read, "sh", *files], capture_output=True, check=True
    )
    found = dict(
        line.split("=", 1)
        for line in said.stdout.decode().split("\0")
        if re.match("[A-Z_0-9]+=", line)
    )
    return found | blanks


@contextmanager
def deployed(services: Services, folder: Path) -> Iterator["Proxy"]:
    """Run the web server with the example settings, behind nginx with its example."""
    said = filled()
    named = ("ALLOWED_HOSTS", "TRUSTED_PROXIES", "BASE_URL")
    services.start_web_as_shipped(HTTPS="1", DEMO="0", **{name: said[name] for name in named})
    proxy = Proxy(folder, services.port)
    proxy.start()
    yield proxy
    proxy.stop()


class Proxy:
    """Debian's nginx with the example's server blocks, on free ports."""

    def __init__(self, folder: Path, *consoles: int | str, name: str = HOST) -> None:
        """Pass requests to these ports of loopback, or `address:port` of other hosts."""
        self.folder, self.name = folder, name
        self.consoles = [f"127.0.0.1:{one}" if isinstance(one, int) else one for one in consoles]
        self.plain, self.secure = free_port(), free_port()
        self.certificate = str(folder / "certificate.pem")
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
        """Send a request from a loopback address, with forged proxy headers."""
        to = connected(self.secure, self.certificate, source=client)
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

    def submit(self, client: str, path: str, **typed: str) -> "Answer":
        """Open a page from that address and submit its form as a browser would."""
        page = self.ask(client, "GET", path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token is not None, page.text[:500]
        body = urlencode({"csrfmiddlewaretoken": token[1], **typed})
        sent = {"Cookie": page.cookies(), "Origin": f"https://{HOST}"}
        return self.ask(client, "POST", path, body, **sent)

    def _settings(self) -> str:
        """Return an nginx configuration: the example with this test's paths and ports."""
        example = (DEPLOY / "nginx.conf.example").read_text()
        for here, there in (
            ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.secure} ssl;"),
            ("/etc/ssl/console.example.com.pem", self.certificate),
            ("/etc/ssl/console.example.com.key", str(self.folder / "key.pem")),
            ("server 127.0.0.1:8000;", "".join(self._upstream(example))),
        ):
            assert here in example, here
            example = example.replace(here, there)
        if self.name != HOST:  # reached by its port
            example = example.replace("Host $host;", f"Host $host:{self.secure};")
        kept = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{name}_temp_path {self.folder}/{name};\n" for name in kept)
        user = "user root;\n" if Path("/proc/self").stat().st_uid == 0 else ""
        return (
            f"{user}daemon off;\npid {self.folder}/nginx.pid;\nworker_processes 1;\n"
            # Limits recommended in docs/operations.md.
            "worker_rlimit_nofile 20000;\nevents { worker_connections 8192; }\n"
            f"http {{\naccess_log access.log;\n{temporary}{example}}}\n"
        )

    def _upstream(self, example: str) -> Iterator[str]:
        """Return the lines of the console's hosts as the example says them for one or several."""
        several = re.findall(r"^    #   (server 10\.0\.0\.2:8000.*;)$", example, re.MULTILINE)
        assert len(several) == 2
        for one in self.consoles:
            lines = several if len(self.consoles) > 1 else ["server 10.0.0.2:8000;"]
            yield from (line.replace("10.0.0.2:8000", one) for line in lines)

    def _make_certificate(self) -> None:
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2"
        subprocess.run(
            [
                *("openssl", *words.split(), "-subj", f"/CN={self.name}"),
                *("-addext", f"subjectAltName=DNS:{self.name}"),
                *("-keyout", str(self.folder / "key.pem")),
                *("-out", self.certificate),
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
    """A response from the proxy."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, text: str) -> None:
        self.status, self.headers, self.text = status, headers, text

    def cookies(self) -> str:
        return "; ".join(one.partition(";")[0] for one in self.headers.get_all("Set-Cookie") or ())
