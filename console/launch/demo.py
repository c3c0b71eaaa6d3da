"""`make demo-json`: query the running console's demo data, using its settings."""

import os
import sys
import time
from typing import Any

from console.launch.data_folder import DataFolder
from console.launch.errors import Trouble
from console.launch.setup import ROOT


def main() -> None:
    """Replace this process by `manage.py demo`, with the running console's settings."""
    place = DataFolder.named_by_the_environment()
    # Use the port that it listens on; our environment may name another.
    port = str(wait_until_ready(place)["port"])
    environment = place.environment() | {"PORT": port}
    os.chdir(ROOT)
    os.execve(sys.executable, [sys.executable, "manage.py", "demo", *sys.argv[1:]], environment)


def wait_until_ready(place: DataFolder) -> dict[str, Any]:
    """Return the record of the console running from this folder, as soon as it is ready."""
    told = False
    while (running := place.running()) is not None:
        if running.get("ready"):
            return running
        if not told:
            print("The console is still starting ...", file=sys.stderr, flush=True)
            told = True
        time.sleep(0.5)
    raise Trouble(f"No console runs from {place.data}: start it with `make run`.")


if __name__ == "__main__":
    main()
