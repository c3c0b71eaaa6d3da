"""Run every secret through every flow, then search everything stored or logged.

The programs are real: the search covers their logs, the broker, the database and the files.
"""

import io
import json
import zipfile
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

from agreements.models import Pack
from console.core import blobs
from console.shell.models import DemoMail
from tests.agreements.verification import vectors
from tests.databases import cluster
from tests.flows import canaries, going_live, leaks
from tests.flows.canaries import Canaries
from tests.flows.key_canaries import KeyFlows
from tests.flows.leaks import found_in
from tests.flows.pack_canaries import PackFlow
from tests.flows.visitor import Visitor
from tests.observability.receiving import collector
from tests.proofs import Proven, proof
from tests.services import Services
from tests.waiting import eventually

PROGRAMS = ("worker", "beat", "deliver", "web")


def request_that_failed(log: Path) -> bytes:
    """Return the id of a request that the log says failed."""
    lines = log.read_text().splitlines()
    line = next(line for line in lines if '"request_failed"' in line)
    return str(json.loads(line)["request_id"]).encode()


def every_flow(url: str) -> Canaries:
    """Run every flow that handles a secret; yield each secret's name and value as it occurs."""
    yield from canaries.of_deployment()
    nadia = Visitor(url)
    people = dict(canaries.of_people(nadia))
    yield from people.items()
    harbour, pack = canaries.a_business(nadia), PackFlow(nadia)
    yield from canaries.inviting(nadia, harbour)
    seed = people["bytes of the seed"]
    assert isinstance(seed, bytes)
    yield from pack.signed_by_all(seed)
    yield from KeyFlows(nadia, harbour).walk(str(people["recovery code 3"]))
    pack.wait_for_the_seal()


@pytest.mark.services
@proof("R9", "secrets in what is kept or written")
def test_no_secret_is_found_outside_the_one_answer(services: Services, proven: Proven):
    services.start("broker")
    told, sessions = leaks.BrokerMonitor(services.broker.url), leaks.OpenedSessions()
    Visitor.begin(sessions.look)
    with collector() as outside:
        services.start(
            *PROGRAMS, **going_live.HERE, **outside.settings,
            EMAIL_HOST_PASSWORD=canaries.MAIL_PASSWORD,
        )  # fmt: skip

        of_others = leaks.stored()
        secrets = dict(every_flow(services.url))
        eventually(lambda: "handle" in told.text())
        # Any user of the machine can read these.
        commands = [
            Path(f"/proc/{one.pid}/cmdline").read_text() for one in services.processes.values()
        ]
        with ThreadPoolExecutor() as at_once:
            list(at_once.map(services.stop, PROGRAMS))

    logs = {services.log_of(name): f"{name} log" for name in ("broker", *PROGRAMS)}
    files = leaks.files_below(services.folder)
    written = leaks.stored() - of_others
    of_blobs = [path for path in files if path.name in written]
    places: dict[str, str | bytes] = {
        **{name: files.pop(log) for log, name in logs.items()},
        "database's log": (cluster() / "postgres.log").read_bytes(),
        "error pages": "\n".join(Visitor.refused),
        "pages opened again": "\n".join(Visitor.opened_again),
        "database": leaks.dump(),
        "sessions, opened": sessions.text(),
        "broker": told.text(),
        "command lines": "\n".join(commands),
        "traces": outside.traces,
        "error reports": outside.reports,
        "blobs": b"\n".join(files.pop(path) for path in of_blobs),
        "blobs, opened": leaks.opened_blobs(written),
        "files": b"\n".join(files.values()),
    }
    empty = [place for place, text in places.items() if not text]
    assert not empty, f"Nothing was searched in {empty}."
    assert b"request_failed" in places["web log"], "No page failed."
    failed = request_that_failed(services.log_of("web"))
    assert failed in outside.traces
    assert failed in outside.reports
    # The signatory's name appears only in the PDF's visible text, which proves it was extracted.
    pack = Pack.objects.get()
    assert {pack.bundle_sha256, pack.certificate_sha256} <= written, "No pack was sealed."
    assert b"Nadia Boateng" in leaks.opened_blobs({pack.certificate_sha256})
    for waiting in ("signing_in", "held_form"):
        assert f'"{waiting}"' in sessions.text(), "No session waited."
    found = [f"{name} in the {place}" for place, text in places.items()
             for name in found_in(text, secrets)]  # fmt: skip
    found += leaks.mails_to_others(secrets, canaries.MEANT)
    proven.reached(
        f"{len(secrets)} secrets in {len(places)} places, {len(written)} blobs among them, and "
        f"{DemoMail.objects.count()} mails: {found or 'none found'}",
        met=len(secrets) >= 61 and not found,
        wrong=found,
    )


Way = Callable[[bytes], bytes]


def in_base64(write: Way, before: int, after: int) -> Way:
    """Return a function that encodes a secret within a text, so many bytes from either end."""
    return lambda secret: write(b"<" * before + secret + b">" * after)


# Encodings in which a secret could be written by accident.
WAYS: dict[str, Way] = {
    "as it is": bytes,
    "without its hyphens": lambda secret: secret.replace(b"-", b""),
    "without its spaces": lambda secret: secret.replace(b" ", b""),
    "in an address": lambda secret: quote(secret, safe="").encode(),
    "in an address within another": lambda secret: quote(quote(secret, safe=""), safe="").encode(),
    "in a form": lambda secret: quote_plus(secret).encode(),
    "in hex": lambda secret: secret.hex().encode(),
    "in capital hex": lambda secret: secret.hex().upper().encode(),
    **{
        f"in {name} base64, {before} bytes from its edge and {after} from its end": in_base64(
            write, before, after
        )
        for name, write in (("standard", b64encode), ("urlsafe", urlsafe_b64encode))
        for before in range(3)
        for after in range(3)
    },
}
# At any alignment, the last one contains both letters in which the base64 alphabets differ.
SECRETS = ("ab12-cd34-ef56-gh78", "seven amber kites", "Im9:1v+x/y=", bytes(range(190, 256)))


@pytest.mark.parametrize("way", WAYS)
def test_the_search_finds_a_secret_in_every_form(way: str):
    for secret in SECRETS:
        whole = secret.encode() if isinstance(secret, str) else secret
        assert found_in(b"said: " + WAYS[way](whole) + b".", {"canary": secret}) == ["canary"]
        assert not found_in(WAYS[way](whole[:-3]), {"canary": secret})


def in_zip(secret: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("evidence/acts/01.json", secret)
    return file.getvalue()


def a_pdf(stream: bytes) -> bytes:
    """Return a PDF of one empty page with a compressed stream."""
    packed = zlib.compress(stream)
    return vectors.written(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
            b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream" % (len(packed), packed),
        ]
    )


BLOBS: dict[str, Way] = {
    "as it is": bytes,
    "in a zip": in_zip,
    "in a PDF": a_pdf,
    "in a PDF in a zip": lambda secret: in_zip(a_pdf(secret)),
}


@pytest.mark.parametrize("form", BLOBS)
def test_the_search_finds_a_secret_in_a_blob(form: str, settings: Any, tmp_path: Path):
    settings.MEDIA_ROOT = tmp_path
    for secret in SECRETS:
        whole = secret.encode() if isinstance(secret, str) else secret
        digest = blobs.put(BLOBS[form](whole))
        assert leaks.stored() >= {digest}
        assert found_in(leaks.opened_blobs({digest}), {"canary": secret}) == ["canary"]
        other = blobs.put(BLOBS[form](whole[:-3]))
        assert not found_in(leaks.opened_blobs({other}), {"canary": secret})
