"""`make demo-json`: ask the running console's demo world, with the settings that it runs with."""

import os
import sys

from console.launch.place import Place
from console.launch.setup import ROOT
from console.launch.trouble import Trouble


def main() -> None:
    """Become `manage.py demo`, in the place of the console that is running."""
    try:
        place = Place.named_by_the_environment()
        running = place.running()
        if running is None:
            raise Trouble(f"No console runs from {place.data}: start it with `make run`.")
        environment = place.environment()
    except Trouble as trouble:
        sys.exit(str(trouble))
    # Its port is a fact; the one in our environment may be another.
    environment["PORT"] = str(running.get("port", environment["PORT"]))
    os.chdir(ROOT)
    os.execve(sys.executable, [sys.executable, "manage.py", "demo", *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
