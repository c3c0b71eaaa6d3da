"""One part under another supervisor (systemd, a container): `python -m console.launch.part web`."""

import os
import subprocess
import sys
from pathlib import Path

from console.launch import programs
from console.launch.setup import ROOT

_MANAGE = [sys.executable, "manage.py"]
# Asks the database too: its site role may own nothing.
_CHECK = ["check", "--deploy", "--database", "default"]


def main(words: list[str]) -> None:
    """Become web, worker or beat; or prepare the installation before they start."""
    os.chdir(ROOT)
    commands = {
        "web": programs.web(int(os.environ.get("PORT", "8000"))),
        "worker": programs.worker(processes=int(os.environ.get("WORKERS", "2"))),
        "beat": programs.beat(Path(os.environ.get("DATA_DIR", "var")) / "beat-schedule"),
    }
    if words == ["prepare"]:
        prepare()
    elif len(words) == 1 and words[0] in commands:
        command = commands[words[0]]
        os.execvp(command[0], command)
    else:
        sys.exit(f"Name one part: {', '.join(commands)} or prepare.")


def prepare() -> None:
    """Refuse unsafe settings, migrate as the owner, then prepare the rest as the site."""
    owner = {**os.environ, "DATABASE_URL": os.environ["DATABASE_OWNER_URL"]}
    for command, environment in (
        ([*_MANAGE, *_CHECK, "--fail-level", "WARNING"], dict(os.environ)),
        ([*_MANAGE, "migrate", "--no-input"], owner),
        ([sys.executable, "-m", "console.launch.prepare"], dict(os.environ)),
    ):
        if status := subprocess.run(command, env=environment, check=False).returncode:
            sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
