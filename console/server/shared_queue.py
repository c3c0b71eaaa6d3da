"""One line before what a machine does only a few times at once, for all processes that serve there.

Its places are locked files: a lock ends with whoever holds it, however that happens.
"""

import fcntl
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO

# Who enters is through in less than a millisecond, unless the machine lets it wait meanwhile.
_TRIES, _TRY_AGAIN_SECONDS = 50, 0.001
_LOOK_AGAIN_SECONDS = 0.02


class SharedQueue:
    """`lanes` run at once and `waiting` more stand in line, at least one: first in, first out.

    Only who holds a place of the line tries the one before it, and only who holds the first tries
    the lanes. So nobody is overtaken, and no lane is idle while somebody waits.
    """

    def __init__(self, folder: Path, *, lanes: int, waiting: int) -> None:
        self._folder = folder
        self._lanes = lanes
        self._waiting = waiting

    @property
    def lanes(self) -> int:
        return self._lanes

    def enter(self) -> "QueuePosition | None":
        """Return a position, as far ahead as one can be had at once, or None where all are taken.

        Waits for no turn, so it may be called on the event loop.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as passing:
            # One after the other: the last place is not taken only because somebody passes it.
            if (entrance := self._entrance()) is None:
                return None
            passing.enter_context(entrance)
            if (last := self.place(self._waiting)) is None:
                return None
            position = QueuePosition(self, last, self._waiting)
            while position.step():
                pass
            return position

    def place(self, number: int, *, waits: bool = False) -> IO[bytes] | None:
        """Lock a place of the line; 0 is any of the lanes."""
        if number:
            return _locked(self._folder / f"line.{number}", waits=waits)
        lanes = (_locked(self._folder / f"lane.{lane}") for lane in range(self._lanes))
        return next((lane for lane in lanes if lane is not None), None)

    def _entrance(self) -> IO[bytes] | None:
        for _ in range(_TRIES):
            if (entrance := _locked(self._folder / "entrance")) is not None:
                return entrance
            time.sleep(_TRY_AGAIN_SECONDS)
        return None


class QueuePosition:
    """A place in the line, which is held until its holder leaves or ends."""

    def __init__(self, queue: SharedQueue, place: IO[bytes], number: int) -> None:
        self._queue = queue
        self._place = place
        self._number = number

    def step(self) -> bool:
        """Move up by one place, if that is free."""
        return self._number > 0 and self._move(waits=False)

    def wait(self) -> None:
        """Return when it is one's turn."""
        while self._number > 1:
            self._move(waits=True)
        # There is no waiting for the first of several locks.
        while self._number and not self.step():
            time.sleep(_LOOK_AGAIN_SECONDS)

    def leave(self) -> None:
        self._place.close()

    def _move(self, *, waits: bool) -> bool:
        nearer = self._queue.place(self._number - 1, waits=waits)
        if nearer is None:
            return False
        # Never without a place: who comes later must not come before.
        self._place.close()
        self._place, self._number = nearer, self._number - 1
        return True


def _locked(path: Path, *, waits: bool = False) -> IO[bytes] | None:
    """Return the file, locked; None where somebody else holds it and nobody waits."""
    with ExitStack() as opened:
        file = opened.enter_context(path.open("wb"))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
        except BlockingIOError:
            return None
        opened.pop_all()
        return file
