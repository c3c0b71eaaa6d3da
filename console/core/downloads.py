"""Download a file safely: as `outbound`, but larger, and over redirects with the same checks."""

import http.client
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import BinaryIO
from urllib.parse import urljoin, urlsplit

from console.core import outbound
from console.core.outbound import OutboundAnswer, Patience

CUT_OFF = "the file is not complete"
_PIECE = 64 * 1024
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
# A redirect never leads from https to http.
_SCHEMES = {"https": ("https",), "http": ("http", "https")}


def download(
    url: str,
    into: BinaryIO,
    headers: Mapping[str, str],
    *,
    most_bytes: int,
    patience: Patience,
) -> OutboundAnswer:
    """Write the body of a 200 into a file, and return the answer with its headers.

    The names of the headers are in lower case. `error` is set unless the whole body was written.
    `patience` applies to each redirect. Never raises for what the other side does.
    """
    read = partial(_read, into=into, most_bytes=most_bytes)
    for _ in range(_MOST_REDIRECTS + 1):
        answer = outbound.fetch(url, headers, read, patience=patience)
        location = answer.headers.get("location", "")
        if answer.status not in _REDIRECTS or not location:
            return answer
        onward = urljoin(url, location)
        if urlsplit(onward).scheme not in _SCHEMES.get(urlsplit(url).scheme, ()):
            return answer
        url = onward
    return replace(answer, error="too many redirects")


def _read(answer: http.client.HTTPResponse, *, into: BinaryIO, most_bytes: int) -> OutboundAnswer:
    error = outbound.words_of(answer.status)
    if answer.status == http.client.OK:
        error = _copy(answer, into, most_bytes)
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return OutboundAnswer(answer.status, b"", error, headers)


def _copy(answer: http.client.HTTPResponse, into: BinaryIO, most_bytes: int) -> str:
    """Write the body, and return an error unless it is complete and not too large."""
    expected, size = answer.length, 0
    if expected is None and not answer.chunked:
        return CUT_OFF  # nothing would tell where it ends
    try:
        while piece := answer.read1(_PIECE):
            size += len(piece)
            if size > most_bytes:
                return f"larger than {most_bytes // 1024**2} MB"
            into.write(piece)
    except http.client.IncompleteRead:
        return CUT_OFF
    return "" if expected in (None, size) else CUT_OFF
