"""No connections to forbidden addresses: counted where sockets are created."""

import asyncio
import socket
from typing import Any

import pytest

from apikeys.webhooks.dispatcher import failures
from apikeys.webhooks.dispatcher.records import ReceiverAnswer
from apikeys.webhooks.dispatcher.sender import excerpt
from console.core import egress
from tests.apikeys.webhooks import world

LITERALS = [
    "127.0.0.1", "0.0.0.0", "10.0.0.1", "100.100.100.200", "169.254.169.254", "172.16.0.1",
    "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "[::1]", "[::]",
    "[::ffff:10.0.0.1]", "[::ffff:127.0.0.1]", "[::7f00:1]", "[::ffff:0:7f00:1]",
    "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[::5efe:7f00:1]", "[fe80::1]", "[fd00:ec2::254]",
    "[fec0::1]", "[ff02::1]", "[3fff::1]", "[5f00::1]",
]  # fmt: skip
DISGUISED = ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "localhost"]
PUBLIC = "93.184.216.34"
UNKNOWN = "unknown"


@pytest.fixture(autouse=True)
def _nothing_excepted(settings: Any, kind: None) -> None:
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = []


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record every socket that the guard allows, without creating any."""
    made: list[Any] = []

    def make(**parameters: Any) -> socket.socket:
        made.append(parameters)
        raise ConnectionRefusedError(111, "not made")

    monkeypatch.setattr(socket, "socket", make)
    return made


def sent(host: str, *found: str) -> ReceiverAnswer:
    """Send to a host whose name resolves to these addresses."""

    async def main() -> ReceiverAnswer:
        loop = asyncio.get_running_loop()
        if found:
            answers = [
                (socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, 8080))
                for one in found
            ]

            async def lookup(*_: object, **__: object) -> list[Any]:
                if UNKNOWN in found:
                    raise socket.gaierror(socket.EAI_NONAME, "unknown")
                return answers

            loop.getaddrinfo = lookup  # type: ignore[method-assign]
        return await world.sent(world.claimed(f"http://{host}:8080/"))

    return _loop.run_until_complete(main())


# It needs its own pair of sockets, before any is counted.
_loop = asyncio.new_event_loop()


def test_no_forbidden_address_is_connected_to(sockets: list[Any]):
    for host in LITERALS:
        answer = sent(host)
        assert (answer.error, answer.status, sockets) == (failures.NOT_ALLOWED, None, []), host
        # Nothing reveals how far it got.
        assert {answer.dns_us, answer.connect_us, answer.first_byte_us, answer.total_us} == {None}


def test_no_other_way_of_writing_it_leads_there(sockets: list[Any]):
    for host in DISGUISED:
        answer = sent(host)
        assert answer.status is None, host
        assert answer.error
        assert sockets == []


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], [PUBLIC, "::1"], ["::ffff:10.0.0.1"]]
)
def test_a_name_with_one_forbidden_address_is_refused_whole(sockets: list[Any], found: list[str]):
    assert sent("hooks.example.com", *found).error == failures.NOT_ALLOWED
    assert sockets == []


def test_a_public_address_is_connected_to(sockets: list[Any]):
    assert sent("hooks.example.com", PUBLIC).error == "connection refused"
    assert sent(PUBLIC).error == "connection refused"
    assert len(sockets) == 2


def test_the_socket_is_guarded_whatever_the_names_say(
    sockets: list[Any], monkeypatch: pytest.MonkeyPatch
):
    """The address of the connection is checked even if the resolver did not check it."""
    asked = []

    def allows(address: str) -> bool:
        asked.append(address)
        return len(asked) == 1

    monkeypatch.setattr(egress, "allows", allows)
    assert sent("hooks.example.com", PUBLIC).error == failures.NOT_ALLOWED
    assert (asked, sockets) == ([PUBLIC, PUBLIC], [])


def test_an_unknown_name_is_said_to_be_unknown(sockets: list[Any]):
    assert sent("nobody.example.com", UNKNOWN).error == "dns: name not found"
    assert sockets == []


@pytest.mark.parametrize(("body", "kept"), [
    (b"", ""), (b"a\0b", "a\N{REPLACEMENT CHARACTER}b"), (b"x" * 9000, "x" * 4096),
    (b"\xff" * 9000, "\N{REPLACEMENT CHARACTER}" * 1365),
])  # fmt: skip
def test_an_excerpt_is_text_that_can_be_kept(body: bytes, kept: str):
    assert excerpt(body) == kept
