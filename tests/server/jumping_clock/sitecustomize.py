"""Every Python program that finds this folder has a clock that is set by the file JUMPING_CLOCK.

The file has the seconds by which the clock is ahead. What counts time itself, such as monotonic
clocks and sleep, goes on as on a machine whose clock is set.
"""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import time_machine

_file = Path(os.environ["JUMPING_CLOCK"])
_clock = time_machine.travel(time.time()).start()
_ahead = 0


def _follow() -> None:
    global _ahead
    while True:
        ahead = int(_file.read_text())
        if ahead != _ahead:
            _clock.shift(timedelta(seconds=ahead - _ahead))
            _ahead = ahead
        time.sleep(0.1)


def _start() -> None:
    threading.Thread(target=_follow, daemon=True).start()


_clock.shift(timedelta(seconds=(_ahead := int(_file.read_text()))))
_start()
os.register_at_fork(after_in_child=_start)
