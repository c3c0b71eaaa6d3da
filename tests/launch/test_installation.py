"""An installation that follows docs/operations.md: from an empty database to sending e-mail."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from console.launch.postgres import OWNER, SITE
from console.launch.setup import ROOT
from tests import seal_files
from tests.launch.deployed import Proxy, filled
from tests.services import Services, free_port
from tests.waiting import FIRST_START, eventually

NAME = "installed"
# What each part logs once it is ready; the web server is sent a request instead.
READY = {
    "web": "",
    "worker": " ready.",
    "beat": "beat: Starting",
    "deliver": "dispatcher_started",
}


class MailServer:
    """An SMTP server that accepts one connection and records the client's greeting."""

    def __init__(self) -> None:
        self.heard = b""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        link, _ = self._listening.accept()
        with link:
            link.sendall(b"220 mail.example.com\r\n")
            self.heard = link.recv(100)


@pytest.fixture
def addresses() -> Iterator[dict[str, str]]:
    """Yield the addresses of an empty database, for the two roles that operations.md requires."""
    at = connection.settings_dict

    def address(role: str, name: str = NAME) -> str:
        return f"postgres://{role}:{at['PASSWORD']}@/{name}?host={at['HOST']}"

    with psycopg.connect(address(OWNER, "postgres"), autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {NAME}")
        yield {"DATABASE_URL": address(SITE), "DATABASE_OWNER_URL": address(OWNER)}
        owner.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def part(name: str, settings: dict[str, str], log: Path) -> "subprocess.Popen[bytes]":
    """Start a part as its systemd unit does, without the test suite's environment."""
    (unit,) = (ROOT / "deploy").glob(f"access-console{'-' + name if name == 'prepare' else '@'}.*")
    found = re.search("^ExecStart=\\S+/python (.*)$", unit.read_text(), re.MULTILINE)
    assert found
    words = found[1].replace("%i", name).split()
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPYCACHEPREFIX") if key in os.environ}
    command, around = [sys.executable, *words], kept | settings
    with log.open("wb") as said:
        return subprocess.Popen(command, cwd=ROOT, env=around, stdout=said, stderr=said)


@pytest.mark.services
def test_it_goes_from_an_empty_database_to_mail(
    services: Services, addresses: dict[str, str], tmp_path: Path
) -> None:
    services.start("broker")
    mail = MailServer()
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    here = {
        "BROKER_URL": services.broker.url,
        "DATA_DIR": str(data),
        "PORT": str(free_port()),
        "EMAIL_HOST": "127.0.0.1",
        "EMAIL_PORT": str(mail.port),
    }
    settings = filled() | addresses | here | seal_files.make(tmp_path / "seal")
    owner = settings.pop("DATABASE_OWNER_URL")
    log = {name: tmp_path / f"{name}.log" for name in ("prepare", *READY)}

    # Two hosts prepare at once: the second waits, and finds nothing to do.
    logs = [log["prepare"], tmp_path / "second.log"]
    hosts = [part("prepare", settings | {"DATABASE_OWNER_URL": owner}, said) for said in logs]
    for host, said in zip(hosts, logs, strict=True):
        assert host.wait(FIRST_START) == 0, said.read_text()[-3000:]
    assert sorted("Applying" in said.read_text() for said in logs) == [False, True]

    # Besides preparation, only workers need the seal's key.
    others = settings | {"SEAL_KEY_FILE": "/nonexistent"}
    known = dict.fromkeys(READY, others) | {"worker": settings}
    running = {name: part(name, known[name], log[name]) for name in READY}
    proxy = Proxy(tmp_path, int(settings["PORT"]))
    try:
        eventually(lambda: all(words in log[name].read_text() for name, words in READY.items()))
        proxy.start()
        eventually(lambda: proxy.ask("127.0.0.2", "GET", "/readyz").status == 200)
        password = "nine grey geese at noon"
        typed = {"name": "Ada Obi", "email": "ada@example.com", "password": password}
        assert proxy.submit("127.0.0.2", "/sign-up/", **typed).status == 302
        eventually(lambda: mail.heard.lower().startswith(b"ehlo"))
        assert [name for name, one in running.items() if one.poll() is not None] == []
    finally:
        proxy.stop()
        for one in running.values():
            one.terminate()
        for one in running.values():
            one.wait(60)
        mail.close()
