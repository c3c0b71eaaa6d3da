"""Calls to a connected provider over the published protocol: docs/provider-protocol.yaml."""

import time
from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import quote, urlencode

import orjson
import requests  # noqa: TID251  # operators name these addresses, which are often private
from pydantic import BaseModel, ValidationError
from urllib3 import HTTPResponse
from urllib3.exceptions import HTTPError

from api.providers import installed, signatures
from api.providers.configured import ConnectedProvider
from api.providers.installed import ProviderRefused, ProviderSilent
from api.providers.messages import Statement

AnswerT = TypeVar("AnswerT", bound=BaseModel)
_LARGEST, _PART = 16 * 1024 * 1024, 64 * 1024
_NOT_FOUND = 404
# Mistakes in what we send: asking again would not change the answer. A secret or a clock that is
# wrong (401, 403) can be mended meanwhile.
_REFUSED = (400, 409, 422)


def put(provider: ConnectedProvider, path: str, body: bytes, shape: type[AnswerT]) -> AnswerT:
    """Send one object under its ID. The same again has no effect, so it can be repeated."""
    found = _ask(provider, "PUT", path, body, shape)
    if found is None:
        raise ProviderRefused("It does not know this kind of request (404).")
    return found


def get(provider: ConnectedProvider, path: str, shape: type[AnswerT]) -> AnswerT | None:
    """Ask where an object is. Return None if the provider does not know it."""
    return _ask(provider, "GET", path, b"", shape)


def statement(
    provider: ConnectedProvider, business: str, currency: str, day: str
) -> Statement | None:
    """Return the provider's account of one UTC day of a business, or None if it has none."""
    path = f"/statements/{quote(currency, safe='')}/{day}?{urlencode({'business': business})}"
    return get(provider, path, Statement)


def exchange(
    provider: ConnectedProvider, method: str, path: str, body: bytes, signed: Mapping[str, str]
) -> tuple[int, bytes]:
    """Send one request with these headers; return the status and the body of its answer.

    Raises ProviderSilent if none arrives.
    """
    began = time.monotonic()
    try:
        with requests.Session() as session:
            # Neither proxies nor credentials of the environment: this is between us and them.
            session.trust_env = False
            with session.request(
                method,
                provider.url + path,
                data=body or None,
                headers={"Content-Type": "application/json", **signed},
                timeout=provider.seconds,
                verify=provider.ca_file or True,
                allow_redirects=False,
                stream=True,
            ) as response:
                return response.status_code, _content(response.raw, began + provider.seconds)
    # While the body is read, urllib3's own errors reach us.
    except (requests.RequestException, HTTPError, OSError):
        raise ProviderSilent("It did not answer.") from None


def _content(raw: HTTPResponse, ends: float) -> bytes:
    """Read a body in time. The time limit of the request is for each read alone."""
    content = b""
    while len(content) < _LARGEST and (part := raw.read1(_PART, decode_content=True)):
        content += part
        if time.monotonic() > ends:
            raise TimeoutError
    return content


def _ask(
    provider: ConnectedProvider, method: str, path: str, body: bytes, shape: type[AnswerT]
) -> AnswerT | None:
    if provider.adapter:
        content = installed.ask(provider.adapter, method, path, body)
    else:
        content = _asked_over_http(provider, method, path, body)
    if content is None:
        return None
    try:
        return shape.model_validate_json(content)
    except ValidationError as error:
        where = ", ".join(".".join(map(str, one["loc"])) for one in error.errors())
        raise ProviderSilent(f"Its answer cannot be read at: {where or 'the body'}.") from None


def _asked_over_http(
    provider: ConnectedProvider, method: str, path: str, body: bytes
) -> bytes | None:
    signed = signatures.headers(provider.secret_of_requests, f"{method} {path}", body)
    status, content = exchange(provider, method, path, body, signed)
    if status == _NOT_FOUND:
        return None
    if status in _REFUSED:
        raise ProviderRefused(f"It refused the request ({status}): {_said(content)}")
    if status != requests.codes.ok:
        raise ProviderSilent(f"It answered {status}: {_said(content)}")
    return content


def _said(content: bytes) -> str:
    """Return the message of an error, one short line."""
    try:
        found = orjson.loads(content)["error"]["message"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return "without a message."
    return " ".join(str(found).split())[:200]
