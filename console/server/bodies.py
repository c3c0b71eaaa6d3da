"""The bodies of requests while they arrive, within limits of time and size."""

import time
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import IO

from console.server.environ import Environ
from console.server.unserved import Busy, CutShort, TooLarge, Unserved

_IN_MEMORY = 64 * 1024
# What lies of one application at one moment, received and being received.
_MOST_KEPT = 256 * 1024**2
# What may arrive around the bytes of a body: the lengths of chunks of one byte take five.
_AROUND, _AROUND_EACH, _AROUND_FIRST = 64 * 1024, 8, 1024**2


class ReceivedBodies:
    """Counts the bytes that all bodies of one application take in a process, and bounds them.

    `most` is that bound in bytes; `silence` and `whole` are the seconds that a body may pause and
    take. Each application has bodies of its own: who fills those of one keeps none from another.

    When all are full, the one is cut that began first of those that are not whole: it had the most
    time. A form arrives in a packet or two, so it is never the oldest for long, whoever holds.
    """

    def __init__(
        self, *, most: int = _MOST_KEPT, silence: float = 10.0, whole: float = 120.0
    ) -> None:
        self.most = most
        self.silence = silence
        self.whole = whole
        self.kept = 0
        # In the order in which they began.
        self.arriving: dict[ReceivedBody, None] = {}

    def make_room_for(self, newest: "ReceivedBody") -> None:
        """Cut who began before, until all fit. Raises Busy if that is not enough."""
        while self.kept > self.most:
            oldest = next(iter(self.arriving))
            if oldest is newest:
                raise Busy
            oldest.cut(Busy())


class ReceivedBody:
    """One body. Close it when its request is answered; `cut` refuses it, and closes it then."""

    def __init__(
        self, bodies: ReceivedBodies, largest: int, cut: Callable[[Unserved], None]
    ) -> None:
        self.cut = cut
        self._bodies = bodies
        bodies.arriving[self] = None
        self._largest = largest
        self._until = time.monotonic() + bodies.whole
        self._size = 0
        self._around = 0
        self._is_closed = False
        # A body of one packet never touches a disk.
        self._file: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115

    @property
    def deadline(self) -> float:
        """Return when it is cut if nothing more arrives."""
        return min(time.monotonic() + self._bodies.silence, self._until)

    def arrived(self, length: int) -> None:
        """Count what arrived, body or not. Raises CutShort when hardly anything of it is body."""
        self._around += length
        if self._around - self._size > _AROUND + _AROUND_EACH * min(self._size, _AROUND_FIRST):
            raise CutShort

    def add(self, data: bytes) -> None:
        """Keep a part. Raises TooLarge or Busy."""
        self._size += len(data)
        self._bodies.kept += len(data)
        if self._size > self._largest:
            raise TooLarge
        if self._bodies.kept > self._bodies.most:
            self._bodies.make_room_for(self)
        self._file.write(data)

    def hand_over(self, environ: Environ) -> None:
        """Let an application read it, with its length, however it was sent."""
        self._bodies.arriving.pop(self, None)
        self._file.seek(0)
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        environ["CONTENT_LENGTH"] = str(self._size)
        environ["wsgi.input"] = self._file

    def close(self) -> None:
        """Forget it; may be said twice."""
        # An application may have closed the file itself.
        if not self._is_closed:
            self._is_closed = True
            self._bodies.arriving.pop(self, None)
            self._bodies.kept -= self._size
            self._file.close()
