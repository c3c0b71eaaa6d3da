"""A restart behind the socket of deploy/access-console-web.socket fails no request."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console.launch.setup import ROOT
from tests.launch.deployed import Proxy, filled
from tests.server.asking import Ask, Asking
from tests.services import Services
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.services

# As systemd: file 3 is the socket, and the variables name this process.
PASSING = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$@" 3<&"$0"'
SECONDS = 10.0


def start(services: Services, port: socket.socket) -> None:
    """Start the part `web` as its unit does, with a socket that is listening already."""
    said = filled()
    named = ("ALLOWED_HOSTS", "TRUSTED_PROXIES", "BASE_URL", "CHECKOUT_ORIGIN")
    settings = {name: said[name] for name in named}
    settings |= {"HTTPS": "1", "DEMO": "0", "DATABASE_OWNER_URL": "", "WEB_BIND": "192.0.2.1"}
    settings["SELF_MADE_SEAL"] = "0"
    part = [sys.executable, "-m", "console.launch.part", "web"]
    with services.log_of("web").open("ab") as log:
        services.processes["web"] = subprocess.Popen(
            ["bash", "-c", PASSING, str(port.fileno()), *part],
            cwd=ROOT,
            env=services.environment() | settings,
            pass_fds=[port.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def test_no_request_fails_while_it_restarts(services: Services, tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, services.port)
    with socket.create_server(("127.0.0.1", services.port)) as port:
        start(services, port)
        proxy.start()
        try:
            eventually(lambda: proxy.ask("127.0.0.2", "GET", "/readyz").status == 200)
            pages = [Ask("console", "/sign-in/"), Ask("console", "/verify/")]
            clients = [Asking(proxy, pages, SECONDS) for _ in range(2)]
            time.sleep(1)  # they are asking
            services.processes["web"].terminate()
            assert services.processes["web"].wait(PATIENCE) == 0
            start(services, port)
            done = [client.done() for client in clients]
        finally:
            proxy.stop()
    assert [asked.wrong for asked in done] == [[], []]
    # The second answer of a client on a slow machine comes from the new process.
    assert all(asked.answers >= len(pages) for asked in done)
