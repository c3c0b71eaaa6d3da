"""The data folder: what lies where, the secrets made at the first start, and who runs from it."""

import base64
import fcntl
import hashlib
import json
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from console.launch.errors import Trouble
from console.launch.postgres import OWNER, SITE, SUPERUSER, Server
from console.launch.setup import ROOT
from console.launch.supervisor import MARK
from console.launch.valkey import Broker

LOOPBACK = "127.0.0.0/8,::1/128"
# Everything that running makes; `make reset` removes these and nothing else.
OURS = (
    *("postgres", "broker", "blobs", "pki", "static", "fonts", "logs", "mail"),
    *("secrets.json", "running.json", "demo-keys.json"),
    *("audit-heads.jsonl", "audit-checks.jsonl", "demo-received.jsonl"),
    "inspecting",
    # Which of these beat writes depends on the machine's database libraries.
    *(f"beat-schedule{end}" for end in ("", ".db", ".bak", ".dat", ".dir")),
)


@dataclass(frozen=True)
class DataFolder:
    """One data folder, and through it one console."""

    data: Path

    @classmethod
    def named_by_the_environment(cls) -> "DataFolder":
        """Return DATA_DIR, made where it is absent; a relative one begins at the checkout."""
        data = (ROOT / os.environ.get("DATA_DIR", "var")).resolve()
        try:
            data.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Trouble(f"DATA_DIR {data} cannot be made: {error.strerror}.") from error
        # Its owner could not read what root writes there.
        closed_to_root = os.geteuid() == 0 and data.stat().st_uid != 0
        if closed_to_root or not os.access(data, os.W_OK | os.X_OK):
            raise Trouble(f"DATA_DIR {data} belongs to another user: name another one.")
        return cls(data)

    @property
    def mark(self) -> str:
        """Return a short name of this place, the same at every start."""
        return hashlib.sha256(str(self.data).encode()).hexdigest()[:10]

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    def sockets(self) -> Path:
        """Return a folder for sockets that is ours alone: their paths may have 100 characters.

        Not TMPDIR: another command may be given another one, and must find the same sockets.
        """
        folder = Path("/tmp") / f"access-console-{os.geteuid()}-{self.mark}"
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        ours = found.st_uid == os.geteuid() or os.geteuid() == 0
        if not stat.S_ISDIR(found.st_mode) or not ours or stat.S_IMODE(found.st_mode) & 0o077:
            raise Trouble(f"{folder} is not a folder of ours: remove it.")
        return folder

    def database(self) -> Server:
        """Return the embedded server of this place."""
        known = self.secrets()
        passwords = {role: known[f"{role}_password"] for role in (SUPERUSER, OWNER, SITE)}
        return Server(self.data / "postgres", self.sockets(), passwords)

    def broker(self) -> Broker:
        """Return the embedded broker of this place."""
        return Broker(self.data / "broker", self.sockets())

    def secrets(self) -> dict[str, str]:
        """Return the generated secrets; make them at the first start, readable by us alone."""
        path = self.data / "secrets.json"
        if path.is_file():
            known: dict[str, str] = json.loads(path.read_text())
            return known
        made = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "KEY_PEPPER": _numbered_key(),
            "VAULT_KEYS": _numbered_key(),
            **{f"{role}_password": secrets.token_urlsafe(24) for role in (SUPERUSER, OWNER, SITE)},
        }
        # Whole or not at all: what was sealed with half of these could never be opened.
        half = path.with_suffix(".new")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(made, file)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
        return made

    def environment(self) -> dict[str, str]:
        """Return every setting: the environment's own, and ours where it says nothing.

        Not the owner's address: no program that serves or works knows it.
        """
        known = self.secrets()
        settings = {
            "DEMO": "1",
            "HTTPS": "0",  # the address is on loopback
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
            # Its receiver of webhooks is a page of its own, on loopback.
            settings.setdefault("WEBHOOK_EGRESS_ALLOW_CIDRS", LOOPBACK)
            settings.setdefault("WEBHOOK_ALLOW_HTTP", "1")
            # Its live business is called from here, too.
            settings.setdefault("LIVE_NETWORKS_ALLOW_CIDRS", LOOPBACK)
        return settings

    def owners_environment(self) -> dict[str, str]:
        """Return the settings of `migrate`, the one program that works as the tables' owner."""
        if "DATABASE_URL" in os.environ:
            url = os.environ.get("DATABASE_OWNER_URL", os.environ["DATABASE_URL"])
        else:
            url = self.database().url(OWNER)
        return {**self.environment(), "DATABASE_URL": url}

    def lock(self) -> int | None:
        """Take this place for as long as this process lives; None where somebody has it."""
        lock = os.open(self.data / "running.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return None
        return lock

    def tell(self, port: int, *, ready: bool) -> None:
        """Write down for other commands that this process runs from here, and how far it is."""
        about = {"pid": os.getpid(), "port": port, "ready": ready}
        half = self.data / "running.new"
        half.write_text(json.dumps(about))
        half.replace(self.data / "running.json")

    def running(self) -> dict[str, Any] | None:
        """Return what the launcher of this place wrote about itself, while it runs."""
        if (lock := self.lock()) is not None:
            os.close(lock)
            return None
        try:
            found: dict[str, Any] = json.loads((self.data / "running.json").read_text())
        except (OSError, ValueError):
            found = {}
        return found


def _numbered_key() -> str:
    """Return a first key of 256 bits, in the form in which settings list keys."""
    return "1:" + base64.b64encode(secrets.token_bytes(32)).decode()
