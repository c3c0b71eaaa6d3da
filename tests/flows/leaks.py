"""Search for secrets in everything that is stored or logged, in every encoding they may have."""

import base64
import io
import re
import subprocess
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote, quote_plus

import redis
from django.conf import settings
from django.core import signing
from django.db import connection

from console.accounts.models import Session
from console.core import blobs
from console.launch import postgres
from console.shell.models import DemoMail

Secret = str | bytes
_PDF_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)


class BrokerMonitor:
    """Record every command that the broker receives, with message bodies decoded."""

    def __init__(self, url: str) -> None:
        self.lines: list[str] = []
        where = url.partition("://")[2].partition("?")[0]
        self._client = redis.Redis(
            unix_socket_path=where, encoding_errors="replace", socket_timeout=None
        )
        self._ready = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._ready.wait(60)

    def _listen(self) -> None:
        with suppress(redis.ConnectionError), self._client.monitor() as monitor:
            self._ready.set()
            for said in monitor.listen():  # until the broker stops
                line = str(said["command"])
                self.lines.append(line)
                self.lines += [
                    base64.b64decode(body).decode(errors="replace")
                    for body in re.findall(r'body\\*": ?\\*"([A-Za-z0-9+/=]+)', line)
                ]

    def text(self) -> str:
        return "\n".join(self.lines)


def _opened(data: str) -> str:
    """Return the content of a signed session, which is not encrypted, without its key."""
    said = data.partition(":")[0]
    content = signing.b64_decode(said.lstrip(".").encode())
    return (zlib.decompress(content) if said.startswith(".") else content).decode()


class OpenedSessions:
    """Decoded session data, collected during the flows because most sessions end before then."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def look(self) -> None:
        rows = Session.objects.values_list("session_data", flat=True)
        self.seen |= {_opened(data) for data in rows}

    def text(self) -> str:
        return "\n".join(self.seen)


def dump() -> str:
    """Return the whole database as text, except the e-mails of the demo world."""
    at = connection.settings_dict
    words = [str(postgres.binaries() / "pg_dump"), "--data-only", "--exclude-table=shell_demomail"]
    words += ["-h", at["HOST"], "-U", "owner", at["NAME"]]
    if at["PORT"]:
        words += ["-p", str(at["PORT"])]
    environment = {"PGPASSWORD": at["PASSWORD"]}
    said = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return said.stdout


def files_below(folder: Path) -> dict[Path, bytes]:
    """Return every file's bytes with its path prepended, as a path may contain a secret too."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: str(path).encode() + b"\n" + path.read_bytes() for path in found}


def stored() -> set[str]:
    """Return the digests of all blobs. The records of the audit log have other names."""
    names = {path.name for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()}
    return {name for name in names if len(name) == 64}


def opened_blobs(digests: set[str]) -> bytes:
    """Return the content of the blobs, including everything compressed in them."""
    with ThreadPoolExecutor() as at_once:
        parts = at_once.map(lambda digest: [*opened(blobs.get(digest))], sorted(digests))
    # A bundle repeats the documents stored beside it, so drop duplicates.
    return b"\n".join({part for some in parts for part in some})


def opened(data: bytes) -> Iterator[bytes]:
    """Yield the data, the files in a zip, and the streams and visible text of a PDF.

    PDF streams encode text as glyph numbers, so searching them alone would miss secrets.
    """
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield name.encode()
                yield from opened(packed.read(name))
    if data.startswith(b"%PDF"):
        for stream in _PDF_STREAM.findall(data):
            with suppress(zlib.error):  # the stream is not compressed
                yield zlib.decompressobj().decompress(stream)
        words = ["pdftotext", "-", "-"]
        shown = subprocess.run(words, input=data, capture_output=True, check=True).stdout.split()
        # A line break may split a secret, so also join the words without spaces.
        yield from (b" ".join(shown), b"".join(shown))


@cache
def forms_of(secret: Secret) -> frozenset[bytes]:
    """Return every encoding in which a secret might be written.

    Plain, without hyphens, without spaces, in hex, URL-quoted once and twice, form-encoded, and
    as part of a longer text in base64.
    """
    whole = secret.encode() if isinstance(secret, str) else secret
    plain = {whole, whole.replace(b"-", b""), whole.replace(b" ", b"")}
    return frozenset(
        form
        for one in plain
        for form in (
            *(one, one.hex().encode(), one.hex().upper().encode()),
            *(quoted(one), quoted(quoted(one)), quote_plus(one).encode()),
            *within_base64(one),
        )
    )


def quoted(plain: bytes) -> bytes:
    return quote(plain, safe="").encode()


def within_base64(plain: bytes) -> set[bytes]:
    """Return the base64 fragments that any longer text containing these bytes must include.

    Base64 encodes three bytes as four letters, so there are three alignments. Letters at the edges
    also depend on neighbouring bytes and are left out.
    """
    found = set()
    for before in range(3):
        letters = base64.b64encode(bytes(before) + plain)
        own = letters[-(-before * 8 // 6) : (before + len(plain)) * 8 // 6]
        found |= {own, own.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def found_in(text: str | bytes, secrets: Mapping[str, Secret]) -> list[str]:
    """Return the names of the secrets that appear in a text in any encoding."""
    searched = text.encode() if isinstance(text, str) else text
    return [
        name for name, one in secrets.items() if any(form in searched for form in forms_of(one))
    ]


def mails_to_others(secrets: Mapping[str, Secret], meant: Mapping[str, set[str]]) -> list[str]:
    """Return the secrets found in e-mails, except link tokens sent to their own recipient."""
    return [
        f"{name} in a mail to {mail.to}"
        for mail in DemoMail.objects.all()
        for name in found_in(mail.body + mail.subject, secrets)
        if name not in meant.get(mail.to, set())
    ]
