"""Signed calls as a client makes them, along with the documentation's samples."""

import hashlib
import hmac
import itertools
import time
from typing import Any

from tests.api.calling import Caller, Reply

_nonces = itertools.count(1)


def signature(
    plain: str, method: str, address: str, body: bytes = b"", *, at: float = 0, nonce: str = ""
) -> str:
    at, nonce = int(at or time.time()), nonce or f"nonce-{next(_nonces):06}"
    digest = hashlib.sha256(body).hexdigest()
    signed = f"{at}.{nonce}.{method}.{address}.{digest}".encode()
    mac = hmac.new(plain.partition(":")[2].encode(), signed, "sha256").hexdigest()
    return f"t={at},n={nonce},v1={mac}"


def get(api: Caller, plain: str, path: str, query: str = "", **how: Any) -> Reply:
    address = f"{path}?{query}" if query else path
    signed = signature(plain, "GET", address, **how)
    return api.get(path, plain, query, HTTP_SERVICE_SIGNATURE=signed)
