"""Every secret through every flow, then a search of all that is kept or written (R9).

Real programs: what they log, what the broker is told, what the database and the files hold.
"""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from console.accounts.models import Business
from console.shell.models import DemoMail
from tests.databases import cluster
from tests.flows import canaries, going_live, leaks
from tests.flows.canaries import Canaries
from tests.flows.key_canaries import KeyFlows
from tests.flows.leaks import found_in
from tests.flows.visitor import Visitor
from tests.proofs import Proven, proof
from tests.services import Services
from tests.waiting import eventually

PROGRAMS = ("worker", "beat", "deliver", "web")


def every_flow(url: str) -> Canaries:
    """Walk every flow that handles a secret; yield each secret with its name as it is met."""
    yield from canaries.of_deployment()
    nadia = Visitor(url)
    people = dict(canaries.of_people(nadia))
    yield from people.items()
    yield from KeyFlows(nadia, Business.objects.get()).walk(str(people["recovery code 3"]))


@pytest.mark.services
@proof("R9", "secrets in what is kept or written")
def test_no_secret_is_found_outside_the_one_answer(services: Services, proven: Proven):
    services.start("broker")
    told, sessions = leaks.BrokerMonitor(services.broker.url), leaks.OpenedSessions()
    Visitor.begin(sessions.look)
    services.start(*PROGRAMS, **going_live.HERE, EMAIL_HOST_PASSWORD=canaries.MAIL_PASSWORD)

    secrets = dict(every_flow(services.url))
    eventually(lambda: "handle" in told.text())
    # What any user of the machine reads.
    commands = [Path(f"/proc/{one.pid}/cmdline").read_text() for one in services.processes.values()]
    with ThreadPoolExecutor() as at_once:
        list(at_once.map(services.stop, PROGRAMS))

    logs = {services.log_of(name): f"{name} log" for name in ("broker", *PROGRAMS)}
    files = leaks.files_below(services.folder)
    places: dict[str, str | bytes] = {
        **{name: files.pop(log) for log, name in logs.items()},
        "database's log": (cluster() / "postgres.log").read_bytes(),
        "error pages": "\n".join(Visitor.refused),
        "pages opened again": "\n".join(Visitor.opened_again),
        "database": leaks.dump(),
        "sessions, opened": sessions.text(),
        "broker": told.text(),
        "command lines": "\n".join(commands),
        "files": b"\n".join(files.values()),
    }
    assert all(places.values()), "Nothing was searched."
    assert b"request_failed" in places["web log"], "No page failed."
    for waiting in ("signing_in", "typed_before_confirming"):
        assert f'"{waiting}"' in sessions.text(), "No session waited."
    found = [f"{name} in the {place}" for place, text in places.items()
             for name in found_in(text, secrets)]  # fmt: skip
    found += leaks.mails_to_others(secrets, canaries.MEANT)
    proven.reached(
        f"{len(secrets)} secrets in {len(places)} places and {DemoMail.objects.count()} mails: "
        f"{found or 'none found'}",
        met=len(secrets) >= 56 and not found,
        wrong=found,
    )


Way = Callable[[bytes], bytes]


def in_base64(write: Way, before: int, after: int) -> Way:
    """Write a secret as it stands in a longer text, so many bytes from either edge."""
    return lambda secret: write(b"<" * before + secret + b">" * after)


# As somebody could write a secret down who does not mean to.
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
# The last is written with both letters in which the alphabets of base64 differ, wherever it begins.
SECRETS = ("ab12-cd34-ef56-gh78", "seven amber kites", "Im9:1v+x/y=", bytes(range(190, 256)))


@pytest.mark.parametrize("way", WAYS)
def test_the_search_finds_a_secret_in_every_form(way: str):
    for secret in SECRETS:
        whole = secret.encode() if isinstance(secret, str) else secret
        assert found_in(b"said: " + WAYS[way](whole) + b".", {"canary": secret}) == ["canary"]
        assert not found_in(WAYS[way](whole[:-3]), {"canary": secret})
