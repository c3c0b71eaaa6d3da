"""Temporary environment for a benchmark: PostgreSQL with an empty, migrated database."""

import base64
import contextlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Row
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server

# Set by the console's launcher; a value from the shell would interfere.
_OURS = ("DATABASE_URL", "DATABASE_OWNER_URL", "DB_POOL")


def measured(name: str) -> list[Row]:
    """Run a benchmark with its own database, and return its rows."""
    with contextlib.ExitStack() as stack:
        told = _run([sys.executable, "-m", "benchmarks.child", name], _migrated(stack))
        return [Row(**row) for row in json.loads(told)]


def _migrated(stack: contextlib.ExitStack) -> dict[str, str]:
    """Start PostgreSQL, run the migrations, and return the site's environment variables."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="bench-", dir=memory))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    database = _database(folder, stack)
    environment = _environment(folder, database)
    owner = environment | {"DATABASE_URL": database.url(OWNER)}
    _run([sys.executable, "-m", "benchmarks.child", "migrate"], owner)
    return environment


def _database(folder: Path, stack: contextlib.ExitStack) -> Server:
    passwords = dict.fromkeys((SUPERUSER, OWNER, SITE), secrets.token_urlsafe(12))
    server = Server(folder / "db", folder / "run", passwords, {"fsync": "off"})
    server.prepare()
    log = stack.enter_context((folder / "postgres.log").open("wb"))
    process = subprocess.Popen(server.command(), stdin=subprocess.DEVNULL, stderr=log)
    # Everything that is not measured runs on another core.
    os.sched_setaffinity(process.pid, {max(os.sched_getaffinity(0))})
    stack.callback(process.wait)
    stack.callback(process.terminate)
    server.wait(process)
    server.make_roles()
    return server


def _environment(folder: Path, database: Server) -> dict[str, str]:
    (folder / "data").mkdir(mode=0o700)
    inherited = {name: value for name, value in os.environ.items() if name not in _OURS}
    return inherited | {
        "DATABASE_URL": database.url(SITE),
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "FILL_URL": database.url(SUPERUSER),
        "WEBHOOK_ALLOW_HTTP": "1",
        "WEBHOOK_EGRESS_ALLOW_CIDRS": "127.0.0.1/32",
        "WEBHOOK_SANDBOX_RATE": "1000000",
        "WEBHOOK_TIMEOUT_SECONDS": "1",
        "BROKER_URL": f"redis+socket://{folder}/valkey.sock",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "KEY_PEPPER": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "VAULT_KEYS": "1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "DATA_DIR": str(folder / "data"),
        "HTTPS": "0",
        "DEMO": "0",
        "ALLOWED_HOSTS": "localhost,testserver",
        "LOG_LEVEL": "ERROR",
    }


def _run(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return done.stdout
