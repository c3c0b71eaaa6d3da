"""Time-stamping services with pyHanko's interface: RFC 3161 or simulated.

pyHanko takes a second to import, so `time_stamping` imports this module only when needed.
"""

import http
import http.client
import ssl
from urllib.parse import urlsplit

from asn1crypto import tsp
from pyhanko.sign.timestamps import TimeStamper
from pyhanko.sign.timestamps.common_utils import TimestampRequestError
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from console.core import clock

SECONDS = 10
LARGEST_ANSWER = 64 * 1024
HEADERS = {
    "Content-Type": "application/timestamp-query",
    "Accept": "application/timestamp-reply",
}


class Authorities(TimeStamper):
    """RFC 3161 authorities over HTTP, tried in order until one responds."""

    def __init__(self, urls: tuple[str, ...]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.urls = urls

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        said = []
        for url in self.urls:
            try:
                return tsp.TimeStampResp.load(_post(url, req.dump()))
            except (OSError, ValueError, http.client.HTTPException) as error:
                said.append(f"{urlsplit(url).hostname}: {error}")
        raise TimestampRequestError("; ".join(said))


class Simulated(DummyTimeStamper):
    """A simulated authority that uses our own clock, named so that nobody takes it for evidence."""

    def request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        self.fixed_dt = clock.now().replace(microsecond=0)
        return super().request_tsa_response(req)


def _post(url: str, question: bytes) -> bytes:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("TSA_URL must begin with https:// or http://")
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=SECONDS, context=ssl.create_default_context()
        )
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=SECONDS)
    try:
        connection.request("POST", parts.path or "/", question, HEADERS)
        answer = connection.getresponse()
        data = answer.read(LARGEST_ANSWER)
    finally:
        connection.close()
    if answer.status != http.HTTPStatus.OK:
        raise OSError(f"answered {answer.status}")
    return data
