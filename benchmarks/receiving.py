"""Two webhook receivers: one accepts everything at once, one never answers. Prints the ports."""

import asyncio
import sys

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


class Taking(asyncio.Protocol):
    """Answer as soon as a whole request has arrived; every request has a Content-Length."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport, self.kept = transport, b""

    def data_received(self, data: bytes) -> None:
        self.kept += data
        while (end := self.kept.find(b"\r\n\r\n")) >= 0:
            length = int(self.kept[:end].lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            if len(self.kept) < end + 4 + length:
                return
            self.kept = self.kept[end + 4 + length :]
            self.transport.write(OK)  # type: ignore[attr-defined]


async def main() -> None:
    loop = asyncio.get_running_loop()
    ports = []
    for kind in (Taking, asyncio.Protocol):
        server = await loop.create_server(kind, "127.0.0.1", 0, backlog=1000)
        ports.append(str(server.sockets[0].getsockname()[1]))
    sys.stdout.write(" ".join(ports) + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
