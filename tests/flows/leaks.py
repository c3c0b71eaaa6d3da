"""Where a secret must not stand: all that is kept or written, and each form it may have there."""

import base64
import io
import json
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
from django.db import connection

from console.accounts.models import Session
from console.accounts.session_store import SessionStore
from console.core import blobs
from console.launch import postgres
from console.shell.models import DemoMail

Secret = str | bytes
_PDF_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)


class BrokerMonitor:
    """All that the broker is told while it runs, message bodies opened."""

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
            for said in monitor.listen():  # until the broker ends
                line = str(said["command"])
                self.lines.append(line)
                self.lines += [
                    base64.b64decode(body).decode(errors="replace")
                    for body in re.findall(r'body\\*": ?\\*"([A-Za-z0-9+/=]+)', line)
                ]

    def text(self) -> str:
        return "\n".join(self.lines)


class OpenedSessions:
    """What every session has held: their rows are compressed, and most end before a flow does."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def look(self) -> None:
        rows = Session.objects.values_list("session_data", flat=True)
        self.seen |= {json.dumps(SessionStore().decode(data)) for data in rows}

    def text(self) -> str:
        return "\n".join(self.seen)


def dump() -> str:
    """The whole database as text, but for the mails of the demo world, which are mail."""
    at = connection.settings_dict
    words = [str(postgres.binaries() / "pg_dump"), "--data-only", "--exclude-table=shell_demomail"]
    words += ["-h", at["HOST"], "-U", "owner", at["NAME"]]
    if at["PORT"]:
        words += ["-p", str(at["PORT"])]
    environment = {"PGPASSWORD": at["PASSWORD"]}
    said = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    return said.stdout


def files_below(folder: Path) -> dict[Path, bytes]:
    """Return every file, with its own path above it: a secret may stand in a name as well."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: str(path).encode() + b"\n" + path.read_bytes() for path in found}


def stored() -> set[str]:
    """Return the digests of all blobs."""
    return {path.name for path in Path(settings.BLOB_DIR).rglob("*") if path.is_file()}


def opened_blobs(digests: set[str]) -> bytes:
    """Return what the application reads back of each blob, and all that is packed in it."""
    with ThreadPoolExecutor() as at_once:
        parts = at_once.map(lambda digest: [*opened(blobs.get(digest))], sorted(digests))
    # A bundle holds again what stands beside it.
    return b"\n".join({part for some in parts for part in some})


def opened(data: bytes) -> Iterator[bytes]:
    """Yield a file, the files in a zip, and what is packed in a PDF and what a reader sees there.

    The letters of a PDF are numbers of its own typefaces, so its streams alone would not do.
    """
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield name.encode()
                yield from opened(packed.read(name))
    if data.startswith(b"%PDF"):
        for stream in _PDF_STREAM.findall(data):
            with suppress(zlib.error):  # it is one that stands there as it is
                yield zlib.decompressobj().decompress(stream)
        words = ["pdftotext", "-", "-"]
        shown = subprocess.run(words, input=data, capture_output=True, check=True).stdout.split()
        # A line may end within a secret.
        yield from (b" ".join(shown), b"".join(shown))


@cache
def forms_of(secret: Secret) -> frozenset[bytes]:
    """Return how a secret could be written down.

    As it is, without hyphens and spaces, in hex, in an address and in one that leads on to that,
    and within a longer text that is put into base64.
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
    """Return what base64 of any text with this in it holds, wherever it begins there.

    Three bytes are four letters: which letters depends on how many bytes come before, and those at
    the edges on what stands there.
    """
    found = set()
    for before in range(3):
        letters = base64.b64encode(bytes(before) + plain)
        own = letters[-(-before * 8 // 6) : (before + len(plain)) * 8 // 6]
        found |= {own, own.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def found_in(text: str | bytes, secrets: Mapping[str, Secret]) -> list[str]:
    """Return the names of the secrets that stand in a text, in whatever form."""
    searched = text.encode() if isinstance(text, str) else text
    return [
        name for name, one in secrets.items() if any(form in searched for form in forms_of(one))
    ]


def mails_to_others(secrets: Mapping[str, Secret], meant: Mapping[str, set[str]]) -> list[str]:
    """Secrets in a mail, but for a link's token in the mail to the person whom it is for."""
    return [
        f"{name} in a mail to {mail.to}"
        for mail in DemoMail.objects.all()
        for name in found_in(mail.body + mail.subject, secrets)
        if name not in meant.get(mail.to, set())
    ]
