"""A throw-away place to measure in: PostgreSQL, a filled database, one web server."""

import base64
import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from console.launch import programs
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server

# Set by the launcher of the console; here the shell's own would be in the way.
_OURS = ("DATABASE_URL", "DATABASE_OWNER_URL", "DB_POOL")


@dataclass(frozen=True)
class Place:
    """Where the server listens, its process, and the credentials it knows."""

    port: int
    server: int
    keys: dict[str, str]


@contextlib.contextmanager
def opened(application: str) -> Iterator[Place]:
    """Start everything, hand over the place, and leave nothing behind."""
    with contextlib.ExitStack() as stack:
        environment = _migrated(stack)
        keys = json.loads(_run([sys.executable, "-m", "benchmarks.world"], environment))
        port = _free_port()
        web = _start(_server(application, port), stack, environment)
        yield Place(port, _worker(web, port), keys)


def said_by(module: str) -> str:
    """Run a module beside a database of its own, and return what it prints."""
    with contextlib.ExitStack() as stack:
        return _run([sys.executable, "-m", module], _migrated(stack))


def _migrated(stack: contextlib.ExitStack) -> dict[str, str]:
    """Start PostgreSQL, make every table, and return the environment of the site."""
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=_memory()))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    database = _database(folder, stack)
    environment = _environment(folder, database)
    owner = environment | {"DATABASE_URL": database.url(OWNER)}
    _run([sys.executable, "-m", "benchmarks.world", "migrate"], owner)
    return environment


def _database(folder: Path, stack: contextlib.ExitStack) -> Server:
    passwords = dict.fromkeys((SUPERUSER, OWNER, SITE), secrets.token_urlsafe(12))
    server = Server(folder / "db", folder / "run", passwords, {"fsync": "off"})
    server.prepare()
    log = stack.enter_context((folder / "postgres.log").open("wb"))
    process = _start(server.command(), stack, dict(os.environ), log=log, core=other_core())
    server.wait(process)
    server.make_roles()
    return server


def _environment(folder: Path, database: Server) -> dict[str, str]:
    (folder / "data").mkdir(mode=0o700)
    inherited = {name: value for name, value in os.environ.items() if name not in _OURS}
    return inherited | {
        "DATABASE_URL": database.url(SITE),
        "DB_POOL": str(programs.WEB_POOL),
        "BROKER_URL": f"redis+socket://{folder}/valkey.sock",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "KEY_PEPPER": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "VAULT_KEYS": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "DATA_DIR": str(folder / "data"),
        "HTTPS": "0",
        "DEMO": "0",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "LOG_LEVEL": "ERROR",
    }


def _server(application: str, port: int) -> list[str]:
    return [sys.executable, *programs.SERVER, application, "--port", str(port)]


def _start(
    words: list[str],
    stack: contextlib.ExitStack,
    environment: dict[str, str],
    log: IO[bytes] | None = None,
    core: int | None = None,
) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stderr=log)
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


def _run(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout


def _worker(web: "subprocess.Popen[bytes]", port: int) -> int:
    """Return the process that answers, pinned to a core of its own, once it answers.

    Its port listens before the application is loaded, so a connection alone says nothing.
    """
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/bare", timeout=60).close()
            for thread in Path(f"/proc/{web.pid}/task").iterdir():
                os.sched_setaffinity(int(thread.name), {first_core()})
            return web.pid
        if web.poll() is not None:
            break
        time.sleep(0.05)
    raise SystemExit("The web server does not start.")


def first_core() -> int:
    return min(os.sched_getaffinity(0))


def other_core() -> int:
    """Return the core of everything that is not measured."""
    return max(os.sched_getaffinity(0))


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def _memory() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
