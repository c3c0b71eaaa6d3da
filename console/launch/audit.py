"""`make check ARGS=audit`: ask pip-audit about known vulnerabilities in the packages of the locks.

pip-audit needs pip, so uv runs it in an environment of its own, with the machine's index.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from console.launch import pip_settings
from console.launch.setup import DEV_LOCK, PRODUCTION_LOCK, ROOT

TOOL = "pip-audit==2.10.1"
SECONDS = 120
# The exit status of a check that could not ask anybody.
NOT_ASKED = 77


def main() -> None:
    """Fail if a package has a known vulnerability. Say so in one line if nobody can be asked."""
    if found := known_holes():
        sys.exit("\n".join(found))
    print("no known holes")


def known_holes() -> list[str]:
    """Return a line for each known hole of either lock. Exit with NOT_ASKED without an answer."""
    found = (hole for lock in (PRODUCTION_LOCK, DEV_LOCK) for hole in holes(lock))
    return list(dict.fromkeys(found))


def holes(lock: Path) -> list[str]:
    """Return a line for each known hole. Exit with NOT_ASKED if the service does not answer."""
    # The environment has no pip, so ask that of the Python it was made with.
    settings = pip_settings.read(Path(sys.base_prefix, "bin", "python3"))
    arguments, variables = pip_settings.as_uv_has_it(settings)
    tool = [sys.executable, "-m", "uv", "tool", "run", "--quiet", *arguments]
    tool += ["--python", sys.executable, "--from", TOOL, "pip-audit"]
    asked = ["--service", "osv", "--disable-pip", "--format", "json", "--timeout", "10"]
    try:
        done = subprocess.run(
            [*tool, *asked, "--requirement", str(lock)],
            cwd=ROOT,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        print(f"nobody could be asked about {lock.name}")
        sys.exit(NOT_ASKED)
    return [
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions'])}"
        for one in packages
        for hole in one.get("vulns", ())
    ]


if __name__ == "__main__":
    main()
