"""Growing pauses between failed starts, which systemd 252 does not offer.

A start that fails is tried again by systemd, at once after the first failure. The next failure in
a row ends five seconds late, and each further one twice as late, up to two minutes.
"""

import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from console.launch.setup import ROOT

_FIRST, _LONGEST = 5, 120  # seconds


@contextmanager
def paused(part: str) -> Iterator[None]:
    """Run the block; if it fails, show why, wait, and exit. Whoever stops the wait ends it."""
    # Settings may be what is wrong, so they are not asked.
    failures = Path(os.environ.get("DATA_DIR") or ROOT / "var") / f"failed-starts-{part}"
    try:
        yield
    except (SystemExit, Exception) as failure:  # noqa: BLE001  # whatever failed, it is shown
        if not isinstance(failure, SystemExit):
            traceback.print_exception(failure)
        elif isinstance(failure.code, str):
            print(failure.code, file=sys.stderr)
        _wait(_count(failures))
        sys.exit(1)
    failures.unlink(missing_ok=True)


def pause_after(failures: int) -> int:
    """Return how many seconds to wait after that many failures in a row."""
    return min(_FIRST * 2 ** (failures - 2), _LONGEST) if failures > 1 else 0


def _wait(failures: int) -> None:
    if seconds := pause_after(failures):
        said = f"The start failed {failures} times in a row: it can be tried again in {seconds} s."
        print(said, file=sys.stderr, flush=True)
        time.sleep(seconds)


def _count(failures: Path) -> int:
    """Add a failure to the file, and return their number: its size."""
    try:
        with failures.open("ab") as file:
            file.write(b".")
        return failures.stat().st_size
    except OSError:  # the folder may be what is wrong: then every pause is the first one
        return 2
