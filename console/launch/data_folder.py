"""The data folder: its contents, the secrets generated at the first start, and its lock."""

import fcntl
import hashlib
import json
import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console import env
from console.launch import demo_provider
from console.launch.errors import Trouble
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
from console.launch.setup import ROOT
from console.launch.supervisor import MARK
from console.launch.valkey import Broker

LOOPBACK = "127.0.0.0/8,::1/128"
# Everything that a running console creates. `make reset` deletes these and nothing else.
OURS = (
    *("postgres", "broker", "blobs", "pki", "static", "fonts", "logs", "mail", "metrics"),
    *("secrets.json", "running.json", "demo-keys.json"),
    *("demo-received.jsonl", "inspecting"),
    *(f"provider.sqlite3{end}" for end in ("", "-wal", "-shm")),
    # Which of these beat creates depends on the machine's database libraries.
    *(f"beat-schedule{end}" for end in ("", ".db", ".bak", ".dat", ".dir")),
)


@dataclass(frozen=True)
class DataFolder:
    """One data folder, and the console that runs from it."""

    data: Path

    @classmethod
    def named_by_the_environment(cls) -> "DataFolder":
        """Return DATA_DIR, created if missing. A relative path starts at the checkout."""
        data = (ROOT / (os.environ.get("DATA_DIR") or "var")).resolve()
        try:
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Trouble(f"DATA_DIR {data} cannot be made: {error.strerror}.") from error
        # If root wrote there, the folder's owner could not read it.
        closed_to_root = os.geteuid() == 0 and data.stat().st_uid != 0
        if closed_to_root or not os.access(data, os.W_OK | os.X_OK):
            raise Trouble(f"DATA_DIR {data} belongs to another user: name another one.")
        return cls(data)

    @property
    def mark(self) -> str:
        """Return a short name of this folder, the same at every start."""
        return hashlib.sha256(str(self.data).encode()).hexdigest()[:10]

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    def sockets(self) -> Path:
        """Return our private folder for sockets, whose paths may have about 100 characters at most.

        TMPDIR is not used: it may differ between commands that must find the same sockets.
        """
        folder = Path("/tmp") / f"access-console-{os.geteuid()}-{self.mark}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        ours = found.st_uid == os.geteuid() or os.geteuid() == 0
        if not stat.S_ISDIR(found.st_mode) or not ours or stat.S_IMODE(found.st_mode) & 0o077:
            raise Trouble(f"{folder} is not a folder of ours: remove it.")
        return folder

    def remove_sockets(self) -> None:
        """Remove the folder of sockets, unless something still runs."""
        with suppress(OSError):
            self.sockets().rmdir()

    def database(self) -> Server:
        known = self.secrets()
        passwords = {role: known[f"{role}_password"] for role in (SUPERUSER, OWNER, SITE)}
        return Server(self.data / "postgres", self.sockets(), passwords)

    def broker(self) -> Broker:
        return Broker(self.data / "broker", self.sockets())

    def secrets(self) -> dict[str, str]:
        """Return the generated secrets, with mode 0600. Each is created at the first start."""
        path = self.data / "secrets.json"
        known: dict[str, str] = json.loads(path.read_text()) if path.is_file() else {}
        made = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "KEY_PEPPER": env.new_key(),
            "VAULT_KEYS": env.new_key(),
            **{f"{role}_password": secrets.token_urlsafe(24) for role in (SUPERUSER, OWNER, SITE)},
            **{name: demo_provider.new_secret() for name in demo_provider.SECRETS},
        } | known
        if made == known:
            return known
        # Written atomically: data sealed with a partial file's keys could never be decrypted.
        half = path.with_suffix(".new")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(made, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
        return made

    def environment(self) -> dict[str, str]:
        """Return every setting: from the environment, with defaults for what is missing.

        Excludes the table owner's URL, which no serving or working process may know.
        """
        known = self.secrets()
        settings = {
            "DEMO": "1",
            "HTTPS": "0",  # the address is on loopback
            "SELF_MADE_SEAL": "1",
            "PORT": "8000",
            **{name: known[name] for name in ("SECRET_KEY", "KEY_PEPPER", "VAULT_KEYS")},
            **os.environ,
            "DATA_DIR": str(self.data),
            "DJANGO_SETTINGS_MODULE": "console.settings",
            MARK: self.mark,
            "PYTHONUNBUFFERED": "1",
        }
        settings.pop("DATABASE_OWNER_URL", None)
        if "DATABASE_URL" not in settings:
            settings["DATABASE_URL"] = self.database().url(SITE)
        settings.setdefault("BROKER_URL", self.broker().url)
        if settings["DEMO"] == "1":
            # The demo's webhook receiver is one of its own pages, on loopback.
            settings.setdefault("WEBHOOK_EGRESS_ALLOW_CIDRS", LOOPBACK)
            settings.setdefault("WEBHOOK_ALLOW_HTTP", "1")
            # The demo's live business calls the API from this machine.
            settings.setdefault("LIVE_NETWORKS_ALLOW_CIDRS", LOOPBACK)
            # Its live environment works through the reference provider, a simulated bank.
            settings.setdefault("PROVIDER_PORT", demo_provider.port_beside(settings["PORT"]))
            settings.setdefault("LIVE_PROVIDERS", demo_provider.setting(settings, known))
        return settings

    def owners_environment(self) -> dict[str, str]:
        """Return the settings of `migrate`, the only program that runs as the tables' owner."""
        if "DATABASE_URL" in os.environ:
            url = os.environ.get("DATABASE_OWNER_URL", os.environ["DATABASE_URL"])
        else:
            url = self.database().url(OWNER)
        return {**self.environment(), "DATABASE_URL": url}

    def lock(self) -> int | None:
        """Lock this folder for this process's lifetime, or return None if it is locked."""
        lock = os.open(self.data / "running.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return None
        return lock

    def tell(self, port: int, *, ready: bool) -> None:
        """Record for other commands that this process runs from here, and whether it is ready."""
        about = {"pid": os.getpid(), "port": port, "ready": ready}
        half = self.data / "running.new"
        half.write_text(json.dumps(about))
        half.replace(self.data / "running.json")

    def running(self) -> dict[str, Any] | None:
        """Return what this folder's launcher recorded about itself, or None if none is running."""
        if (lock := self.lock()) is not None:
            os.close(lock)
            return None
        try:
            found: dict[str, Any] = json.loads((self.data / "running.json").read_text())
        except (OSError, ValueError):
            found = {}
        return found
