"""Connections to receivers: names are looked up by us, and no forbidden address is connected to."""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import AddrInfoType, Connection

from apikeys.webhooks.dispatcher.failures import NameTimeout, NameUnknown
from console.core import egress

NAME_SECONDS = 2.0
CONNECT_SECONDS = 5.0
_KEPT_SECONDS = 30.0


@dataclass(slots=True)
class Marks:
    """When what happened to one request (`time.perf_counter`), and who signs it when it can go."""

    sign: Callable[[Any], None]
    named_at: float | None = None
    opened_at: float | None = None
    connected_at: float | None = None


marks: ContextVar[Marks] = ContextVar("marks")


class Resolver(AbstractResolver):
    """Looks names up, and refuses a host that has but one forbidden address."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return every address of a host; raise NameUnknown, NameTimeout, DestinationRefused."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(NAME_SECONDS):
                found = await loop.getaddrinfo(
                    host, port, type=socket.SOCK_STREAM, family=family, proto=socket.IPPROTO_TCP
                )
        except TimeoutError:
            raise NameTimeout from None
        except (OSError, UnicodeError):
            raise NameUnknown from None
        marks.get().named_at = time.perf_counter()
        if not all(egress.allows(str(address[0])) for *_, address in found):
            raise egress.DestinationRefused
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=family,
                proto=proto,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for family, _, proto, _, address in found
        ]

    async def close(self) -> None:
        """Nothing is kept."""


class GuardedConnector(aiohttp.TCPConnector):
    """Opens and keeps connections. A request is signed when it has one, just before it goes out."""

    def __init__(self) -> None:
        super().__init__(
            limit=0,
            use_dns_cache=False,
            ttl_dns_cache=None,
            keepalive_timeout=_KEPT_SECONDS,
            resolver=Resolver(),
            # One address after the other: a race between them hides why one was refused.
            happy_eyeballs_delay=None,
            socket_factory=guarded_socket,
            ssl=_modern_tls(),
            # Exact to the fraction, so that nobody holds a place for longer.
            timeout_ceil_threshold=3600,
        )

    async def connect(
        self, req: ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        """Return a connection for a request, which is signed now."""
        found = await super().connect(req, traces, timeout)
        mark = marks.get()
        mark.connected_at = time.perf_counter()
        mark.sign(req.headers)
        return found


def guarded_socket(address: AddrInfoType) -> socket.socket:
    """Return a socket for an address, or refuse. Every connection is made of one of these."""
    family, kind, proto, _, (host, *_) = address
    if not egress.allows(str(host)):
        raise egress.DestinationRefused
    mark = marks.get()
    mark.opened_at = mark.opened_at or time.perf_counter()
    made = socket.socket(family=family, type=kind, proto=proto)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _modern_tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
