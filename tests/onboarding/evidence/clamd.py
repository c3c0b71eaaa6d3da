"""A stand-in for a ClamAV daemon that speaks INSTREAM and finds the EICAR test file."""

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.test import override_settings

from console.accounts.models import Business, User
from onboarding.evidence import files, removal, scanning
from onboarding.evidence.models import EvidenceFile, RemovalCause
from onboarding.models import Application
from tests.api.checkout.files import HOSTILE, a_picture
from tests.onboarding.evidence import documents
from tests.waiting import POLL

EICAR = HOSTILE["eicar.com"]
# In a picture, which is the one part of a PDF that we keep byte for byte.
INFECTED = documents._picture("/Width 64 /Height 64 /Filter /DCTDecode", a_picture("JPEG") + EICAR)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        if self.rfile.read(10) != b"zINSTREAM\0":
            self.wfile.write(b"UNKNOWN COMMAND\0")
            return
        sent = b""
        while length := struct.unpack(">I", self.rfile.read(4))[0]:
            sent += self.rfile.read(length)
        found = b"Eicar-Test-Signature FOUND" if EICAR in sent else b"OK"
        self.wfile.write(b"stream: " + found + b"\0")


@contextmanager
def listening(server: socketserver.BaseServer) -> Iterator[None]:
    """Serve in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(POLL,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def on_a_port() -> Iterator[str]:
    """Yield the address of a daemon."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Handler) as server, listening(server):
        yield f"127.0.0.1:{server.server_address[1]}"


@contextmanager
def at_a_socket(path: str) -> Iterator[str]:
    """Yield the path of a daemon's Unix socket."""
    with socketserver.ThreadingUnixStreamServer(path, _Handler) as server, listening(server):
        yield path


def scan_every_kind(business: Business, *, by: User) -> None:
    """Add a clean PDF, a picture, and an infected file; then remove and delete them all."""
    application = Application.objects.of(business)[0]
    for name, data in (("a.pdf", documents.a_pdf()), ("b", a_picture()), ("c.pdf", INFECTED)):
        files.add(application, data, name=name, kind="other", by=by)
    with on_a_port() as address, override_settings(CLAMAV=address):
        scanning.scan_waiting()
    for file in EvidenceFile.objects.of(application).stored():
        file.remove(RemovalCause.OUTLIVED)
    removal.remove_outlived()
