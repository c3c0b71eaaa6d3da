"""A TCP proxy in front of PostgreSQL that can pass, refuse, drop, slow or hang connections."""

import contextlib
import socket
import threading
import time

from tests.services import free_port


class DatabaseProxy:
    """Listens on a free port of loopback and passes bytes to a Unix socket, until told not to."""

    def __init__(self, target: str) -> None:
        self.target, self.port = target, free_port()
        self._passes = threading.Event()
        self._open: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._drops, self._seconds = False, 0.0
        self.pass_on()

    def pass_on(self) -> None:
        """Work again. What hung goes on."""
        self._drops, self._seconds = False, 0.0
        self._passes.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def refuse(self) -> None:
        """Cut all connections and refuse new ones."""
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self._cut()

    def drop(self) -> None:
        """Cut all connections, and each new one at once."""
        self._drops = True
        self._cut()

    def hang(self) -> None:
        """Accept everything and pass nothing on."""
        self._passes.clear()

    def slow(self, seconds: float) -> None:
        """Pass each message and each answer on only after that time."""
        self._seconds = seconds

    def close(self) -> None:
        self.refuse()
        self._passes.set()

    def _cut(self) -> None:
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            if self._drops:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            self._open += [client, server]
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                time.sleep(self._seconds)
                self._passes.wait()
                sink.sendall(data)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
