"""Client of a ClamAV daemon: `scan(data)` returns the virus that it found, or ""."""

import socket
import struct

from django.conf import settings

CONNECT_SECONDS, SECONDS = 2, 20
_CHUNK = 64 * 1024
_LONGEST_ANSWER = 4096


class ScannerDown(Exception):
    """The virus scanner cannot be reached, or did not answer."""


class NotScanned(Exception):
    """The scanner answered, but could not scan this file."""


def scan(data: bytes) -> str:
    """Send the file with the command INSTREAM: chunks after their length, then a length of zero."""
    try:
        with _connected() as daemon:
            daemon.settimeout(SECONDS)
            daemon.sendall(b"zINSTREAM\0")
            for start in range(0, len(data), _CHUNK):
                chunk = data[start : start + _CHUNK]
                daemon.sendall(struct.pack(">I", len(chunk)) + chunk)
            daemon.sendall(struct.pack(">I", 0))
            answer = _answer(daemon)
    except OSError as error:
        raise ScannerDown(str(error)) from error
    if answer == "stream: OK":
        return ""
    if answer.startswith("stream: ") and answer.endswith(" FOUND"):
        return answer.removeprefix("stream: ").removesuffix(" FOUND")
    if not answer:
        raise ScannerDown("The scanner closed the connection.")
    raise NotScanned(f"The scanner answered {answer!r}.")


def _connected() -> socket.socket:
    """Connect to `host:port`, or to a Unix socket."""
    if settings.CLAMAV.startswith("/"):
        daemon = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        daemon.settimeout(CONNECT_SECONDS)
        daemon.connect(settings.CLAMAV)
        return daemon
    host, _, port = settings.CLAMAV.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS)


def _answer(daemon: socket.socket) -> str:
    found = b""
    while not found.endswith(b"\0") and len(found) < _LONGEST_ANSWER:
        part = daemon.recv(_LONGEST_ANSWER)
        if not part:
            break
        found += part
    return found.rstrip(b"\0\n").decode("utf-8", "replace")
