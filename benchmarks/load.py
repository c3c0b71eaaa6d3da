"""A load generator that is cheaper than what it measures: raw sockets, kept alive, one process.

It never sleeps. On one machine, whoever sends to a process that sleeps pays for waking it: with
that, a refusal would cost our server a quarter more than it does, and answers from threads, which
go out together, hardly anything. Everybody else on its core goes before it.
"""

import itertools
import json
import os
import selectors
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

_BUFFER = 65536
_LAST_CHUNK = b"0\r\n\r\n"
# A body whose length is not announced: it ends with its last chunk.
_CHUNKS = -1
# Stands in a request where each that is sent has a number of its own.
NUMBER = b"{number}"


@dataclass
class Connection:
    """One kept-alive connection, with what is still missing of the answer that it waits for."""

    sock: socket.socket
    missing: int = 0
    status: int = 0

    def receive(self) -> bool:
        """Take what has arrived; tell whether the answer is complete."""
        data = self.sock.recv(_BUFFER)
        if not data:
            raise ConnectionError("The server closed a connection.")
        if self.missing == 0:
            self.status, self.missing = _head(data)
        elif self.missing == _CHUNKS:
            self.missing = 0 if data.endswith(_LAST_CHUNK) else _CHUNKS
        else:
            self.missing -= len(data)
        return self.missing == 0


def run(
    port: int, request: bytes, *, source: str, connections: int, seconds: float
) -> tuple[int, int, float]:
    """Send the same request again and again; return answers, the last status, and seconds.

    Only NUMBER becomes another one each time, so that no Idempotency-Key is used twice.
    """
    requests = _numbered(request) if NUMBER in request else itertools.repeat(request)
    selector = selectors.EpollSelector()
    for _ in range(connections):
        sock = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(sock, selectors.EVENT_READ, Connection(sock))
        sock.sendall(next(requests))
    answered, status = 0, 0
    began = time.perf_counter()
    until = began + seconds
    # One answer at least, however slow the machine is.
    while time.perf_counter() < until or not answered:
        for key, _ in selector.select(0):
            connection: Connection = key.data
            if connection.receive():
                answered, status = answered + 1, connection.status
                connection.sock.sendall(next(requests))
    took = time.perf_counter() - began
    for key in list(selector.get_map().values()):
        key.data.sock.close()
    return answered, status, took


def _numbered(request: bytes) -> Iterator[bytes]:
    before, _, after = request.partition(NUMBER)
    for number in itertools.count(time.time_ns()):
        yield b"%b%d%b" % (before, number, after)


def _head(data: bytes) -> tuple[int, int]:
    """Return an answer's status, and how much of its body has not arrived."""
    head, _, body = data.partition(b"\r\n\r\n")
    status = int(head[9:12])
    _, found, length = head.lower().partition(b"content-length:")
    if found:
        return status, int(length.partition(b"\r")[0]) - len(body)
    return status, 0 if body.endswith(_LAST_CHUNK) else _CHUNKS


def main() -> None:
    """Read one order from the command line, and print what happened as JSON."""
    order = json.loads(sys.argv[1])
    if order["core"] is not None:
        os.sched_setaffinity(0, {order["core"]})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    answered, status, took = run(
        order["port"],
        order["request"].encode(),
        source=order["source"],
        connections=order["connections"],
        seconds=order["seconds"],
    )
    sys.stdout.write(json.dumps({"answered": answered, "status": status, "seconds": took}))


if __name__ == "__main__":
    main()
