"""Connections to receivers: resolve names and refuse forbidden addresses."""

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
    """Times of one request's steps (`time.perf_counter`), and the function that signs it."""

    sign: Callable[[Any], None]
    named_at: float | None = None
    opened_at: float | None = None
    connected_at: float | None = None


marks: ContextVar[Marks] = ContextVar("marks")


class Resolver(AbstractResolver):
    """Resolve names, and refuse a host if any of its addresses is forbidden."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return every address of a host; raise NameUnknown, NameTimeout or DestinationRefused."""
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
        """Do nothing: the resolver has no resources."""


class GuardedConnector(aiohttp.TCPConnector):
    """Open and reuse connections, and sign each request just before it is sent."""

    def __init__(self) -> None:
        super().__init__(
            limit=0,
            use_dns_cache=False,
            ttl_dns_cache=None,
            keepalive_timeout=_KEPT_SECONDS,
            resolver=Resolver(),
            # Try addresses one at a time: with parallel attempts, the reason for a refusal is lost.
            happy_eyeballs_delay=None,
            socket_factory=guarded_socket,
            ssl=_modern_tls(),
            # Do not round timeouts up, so no request takes longer than allowed.
            timeout_ceil_threshold=3600,
        )

    async def connect(
        self, req: ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        """Return a connection for a request, and sign the request."""
        found = await super().connect(req, traces, timeout)
        mark = marks.get()
        mark.connected_at = time.perf_counter()
        mark.sign(req.headers)
        return found


def guarded_socket(address: AddrInfoType) -> socket.socket:
    """Return a socket for an address, or refuse it. Every connection uses this function."""
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
