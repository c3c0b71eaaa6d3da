"""One part under another supervisor (systemd, a container): `python -m console.launch.part web`."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from console.launch import programs
from console.launch.setup import ROOT

_MANAGE = [sys.executable, "manage.py"]
_CHECK = [*_MANAGE, "check", "--deploy", "--fail-level", "WARNING"]
# The people of a demo world have published passwords.
_DEMO_CHECK = [*_MANAGE, "demo", "check"]
_OWNER = "DATABASE_OWNER_URL"


def main(words: list[str]) -> None:
    """Become web, worker, beat or deliver; or prepare the installation before they start."""
    os.chdir(ROOT)
    commands = {
        "web": programs.web(),
        "worker": programs.worker(processes=int(os.environ.get("WORKERS", "2"))),
        "deliver": programs.deliver(),
        "beat": programs.beat(Path(os.environ.get("DATA_DIR", "var")) / "beat-schedule"),
    }
    if words == ["prepare"]:
        _refuse_wrong_settings()
        prepare()
    elif len(words) == 1 and words[0] in commands:
        _refuse_wrong_settings()
        _refuse_the_owner(words[0])
        _run(_DEMO_CHECK, dict(os.environ))
        command = commands[words[0]]
        known = dict(os.environ)
        environment = known if words[0] == "web" else programs.without_pool(known)
        os.execvpe(command[0], command, environment)
    else:
        sys.exit(f"Name one part: {', '.join(commands)} or prepare.")


def _refuse_wrong_settings() -> None:
    """End with the sentence that says which setting is wrong, not with its traceback."""
    try:
        import_module("console.settings")
    except ImproperlyConfigured as wrong:
        sys.exit(str(wrong))


def _refuse_the_owner(part: str) -> None:
    """Refuse the address with which the tables, and the log's triggers, could be changed."""
    if os.environ.get(_OWNER):
        sys.exit(
            f"{_OWNER} is set, and {part} must not know the owner's password. Move it to "
            "owner.env, which the unit access-console-prepare alone reads; see docs/operations.md."
        )


def prepare() -> None:
    """Refuse unsafe settings, migrate as the owner, then prepare the rest as the site."""
    if not os.environ.get(_OWNER):
        sys.exit(f"{_OWNER} is missing: it belongs into owner.env; see docs/operations.md.")
    site = {name: value for name, value in os.environ.items() if name != _OWNER}
    for command, environment in (
        (_CHECK, dict(os.environ)),
        ([*_MANAGE, "migrate", "--no-input"], {**site, "DATABASE_URL": os.environ[_OWNER]}),
        # Asks the database too, once it has tables: the site's role may own none of them.
        ([*_CHECK, "--database", "default"], site),
        (_DEMO_CHECK, site),
        ([sys.executable, "-m", "console.launch.prepare"], site),
    ):
        _run(command, environment)


def _run(command: list[str], environment: dict[str, str]) -> None:
    """Run a command to its end; where it fails, this part does not start."""
    if status := subprocess.run(command, env=environment, check=False).returncode:
        sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
