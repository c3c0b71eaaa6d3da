"""A local SMTP server that accepts every connection and stays silent until told to answer."""

import itertools
import re
import socketserver
import threading
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from tests.waiting import POLL


class SmtpServer(socketserver.ThreadingTCPServer):
    """Stay silent until `speaks` is set, then accept every message."""

    daemon_threads = True
    # The connection backlog must hold every client while the server is silent.
    request_queue_size = 64

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.speaks, self.closed = threading.Event(), threading.Event()
        self._counting = threading.Lock()
        self.connected = self.most_connected = 0
        self.recipients: list[str] = []
        self.messages: list[bytes] = []
        super().__init__((address, 0), _Conversation)
        threading.Thread(target=self.serve_forever, args=(POLL,), daemon=True).start()

    def mails(self) -> list[EmailMessage]:
        """Return the e-mails that were accepted."""
        return [message_from_bytes(one, policy=default) for one in list(self.messages)]

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables that make a program send its e-mail here."""
        return {"DEMO": "0", "TSA_URL": "", "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": self.port}

    @property
    def port(self) -> str:
        return str(self.server_address[1])

    def close(self) -> None:
        self.closed.set()
        self.speaks.set()
        self.shutdown()
        self.server_close()

    def count(self, more: int) -> None:
        with self._counting:
            self.connected += more
            self.most_connected = max(self.most_connected, self.connected)


class _Conversation(socketserver.StreamRequestHandler):
    server: SmtpServer

    def handle(self) -> None:
        self.server.count(1)
        try:
            self._wait()
            self._converse()
        except OSError:
            return  # the client was killed or timed out
        finally:
            self.server.count(-1)

    def _wait(self) -> None:
        """Wait until `speaks` is set or the client disconnects."""
        self.connection.settimeout(0.05)
        while not self.server.speaks.is_set():
            try:
                if not self.connection.recv(1):
                    raise ConnectionResetError
            except TimeoutError:
                continue
        self.connection.settimeout(30)
        if self.server.closed.is_set():
            raise ConnectionAbortedError

    def _converse(self) -> None:
        to = ""
        self._say("220 here")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            verb = line.upper()
            if verb.startswith("RCPT"):
                to = re.findall("<(.*)>", line)[0]
            if verb == "DATA":
                self._say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                message = b"".join(itertools.takewhile(bool, lines))
                self.server.messages.append(message)
                self.server.recipients.append(to)
            self._say("221 bye" if verb == "QUIT" else "250 well")
            if verb == "QUIT":
                return

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())
