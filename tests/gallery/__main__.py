"""`make gallery`: screenshots of every page of the demo world on one contact sheet.

Start a console of its own, with a data folder in `build`, and stop it afterwards. A console that
runs from DATA_DIR is asked for nothing, so its demo stays as it is.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from console.launch import demo
from console.launch.data_folder import DataFolder


def main(names: list[str]) -> None:
    """Write the contact sheet; exit with an error if any page could not be reached."""
    try:
        os.environ |= {"DATA_DIR": "build/gallery-data", "DEMO": "1", "PORT": _free_port()}
        place = DataFolder.named_by_the_environment()
        with _console(place) as port:
            os.environ.update(place.environment() | {"PORT": port})
            reached = _walk(f"http://localhost:{port}", names)
    except KeyboardInterrupt:
        sys.exit("Stopped: the sheet is not written.")
    sys.exit(not reached)


@contextmanager
def _console(place: DataFolder) -> Iterator[str]:
    """Yield the port of the console in that data folder, starting it if it is not running."""
    started = None
    if place.running() is None:
        started = subprocess.Popen([sys.executable, "-m", "console.launch.run"])
        while place.running() is None and started.poll() is None:
            time.sleep(0.2)
    try:
        yield str(demo.wait_until_ready(place)["port"])
    finally:
        if started is not None:
            started.send_signal(signal.SIGINT)
            started.wait()


def _free_port() -> str:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return str(trial.getsockname()[1])


def _walk(site: str, names: list[str]) -> bool:
    # Playwright runs an event loop in the thread that queries the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    import django

    django.setup()
    from tests.gallery import walk

    return walk.write(site, names)


if __name__ == "__main__":
    main(sys.argv[1:])
