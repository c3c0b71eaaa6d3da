"""Where a secret must not stand: all that is kept or written, and each form it may have there."""

import base64
import json
import re
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote, quote_plus

import redis
from django.db import connection

from console.accounts.models import Session
from console.accounts.session_store import SessionStore
from console.launch import postgres
from console.shell.models import DemoMail

Secret = str | bytes


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
        assert self._ready.wait(10)

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
