"""Servers on loopback with behaviour defined by a test, and the requests they got."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

from console.core import clock

# Handles an accepted connection, which is closed afterwards.
Behaviour = Callable[[socket.socket], None]


class Listening:
    """A server that counts its connections."""

    def __init__(self, behave: Behaviour) -> None:
        self.accepted = 0
        self._behave = behave
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        # A thread that waits in accept() would keep the port open.
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def _serve(self) -> None:
        while True:
            try:
                one, _ = self._server.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self._handle, args=(one,), daemon=True).start()

    def _handle(self, one: socket.socket) -> None:
        with one, contextlib.suppress(OSError):
            self._behave(one)


@contextlib.contextmanager
def listening(behave: Behaviour) -> Iterator[Listening]:
    """Run a server during the block."""
    server = Listening(behave)
    try:
        yield server
    finally:
        server.close()


def request_of(one: socket.socket) -> bytes:
    """Read one whole request, by its Content-Length."""
    read = b""
    while b"\r\n\r\n" not in read:
        more = one.recv(65536)
        if not more:
            return read
        read += more
    head, _, body = read.partition(b"\r\n\r\n")
    sent = [line.split(b":") for line in head.lower().split(b"\r\n")]
    wanted = next((int(line[1]) for line in sent if line[0] == b"content-length"), 0)
    while len(body) < wanted and (more := one.recv(65536)):
        body += more
        read += more
    return read


def answering(raw: bytes) -> Behaviour:
    """Read the request and answer with these bytes."""

    def behave(one: socket.socket) -> None:
        request_of(one)
        one.sendall(raw)

    return behave


def over_tls(behave: Behaviour, certificate: Path) -> Behaviour:
    """Wrap the connection in TLS, with a certificate and key from one file."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def secure(one: socket.socket) -> None:
        with context.wrap_socket(one, server_side=True) as wrapped:
            behave(wrapped)

    return secure


def certificate(folder: Path, *, host: str, expired: bool = False) -> Path:
    """Write a self-signed certificate with its key, and return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    ends = clock.now() + timedelta(days=-1 if expired else 30)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends - timedelta(days=60))
        .not_valid_after(ends)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / f"{host}.pem"
    file.write_bytes(plain + made.public_bytes(Encoding.PEM))
    return file
