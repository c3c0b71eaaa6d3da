"""Parse request bodies: size limits and unambiguous JSON."""

import json
from collections.abc import Mapping
from typing import IO, Any, cast

import orjson
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from api.problems import ApiProblem, unreadable

LARGEST = 256 * 1024
LONGEST_ADDRESS = 8 * 1024
_DEEPEST = 20
_LONGEST_LENGTH = 9
_TOO_DEEP = f"Nest at most {_DEEPEST} levels."
_NO_NUMBER = "The body contains NaN or Infinity, which is not valid JSON."
_UNWRITABLE = "The body contains an invalid surrogate pair."
# Enough digits to be out of range for every field.
_DIGITS = 40


class StrictJSONParser(BaseParser):
    """A JSON object without repeated keys or NaN, at most 20 levels deep."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        if (media_type or "").partition(";")[0].strip().lower() != self.media_type:
            detail = "Send the body as Content-Type: application/json."
            raise unreadable("/headers/Content-Type", "not_json", detail, status=415)
        body = _parse(stream.read())
        if not isinstance(body, dict):
            raise unreadable("/body", "not_an_object", "Send a JSON object.")
        if _depth(body) > _DEEPEST:
            raise unreadable("/body", "too_deep", _TOO_DEEP)
        canonical(body)
        return body


def check_size(request: Request) -> None:
    """Refuse a request whose URL or declared body is too long, before anything reads it.

    Also refuse a body without a declared length, which Django would treat as empty.
    """
    if len(request.path_info) + len(request.META.get("QUERY_STRING", "")) > LONGEST_ADDRESS:
        raise unreadable("/url", "too_long", "Keep the address under 8 KiB.", status=413)
    if "Transfer-Encoding" in request.headers:
        detail = "Send the body with its Content-Length, not in chunks."
        raise unreadable("/headers/Transfer-Encoding", "no_length", detail)
    length = request.META.get("CONTENT_LENGTH")
    if not length:
        return
    if not (length.isascii() and length.isdigit()):
        raise unreadable(
            "/headers/Content-Length", "not_a_number", "Send the Content-Length in digits."
        )
    if len(length) > _LONGEST_LENGTH or int(length) > LARGEST:
        raise too_large()


def too_large() -> ApiProblem:
    """Return the problem for a body over the size limit."""
    return unreadable("/body", "too_large", "Keep the body under 256 KiB.", status=413)


def read(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request, empty if none was sent.

    The body of a GET or HEAD has no meaning and is ignored.
    """
    if not request.body or request.method in ("GET", "HEAD"):
        # REST framework returns an empty form for an empty body of that type.
        request.META["CONTENT_TYPE"] = ""
        return {}
    body: Any = request.data
    return cast("dict[str, Any]", body)


def canonical(body: Mapping[str, Any]) -> bytes:
    """Return the canonical JSON of a body, independent of the order of its keys.

    Raises the 400 of a text that UTF-8 cannot represent.
    """
    try:
        return orjson.dumps(body, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # An integer over 64 bits, which its field refuses, or a lone surrogate.
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise unreadable("/body", "unwritable", _UNWRITABLE) from None


def _parse(sent: bytes) -> Any:
    """Parse JSON, or raise a problem that repeats none of it."""
    try:
        return json.loads(sent.decode(), **_STRICT)
    except RecursionError:
        raise unreadable("/body", "too_deep", _TOO_DEEP) from None
    except json.JSONDecodeError as error:
        where = f"The body is not valid JSON at line {error.lineno}, column {error.colno}."
        raise unreadable("/body", "not_json", where) from None
    except UnicodeDecodeError:
        raise unreadable("/body", "not_json", "Encode the body in UTF-8.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise unreadable("/body", "repeated", "The body contains the same field twice.")
    return members


def _no_constant(_: str) -> None:
    raise unreadable("/body", "not_json", _NO_NUMBER)


def _integer(digits: str) -> int:
    """Return an integer. Python refuses thousands of digits, so cut the ones that do not matter."""
    return int(digits[:_DIGITS])


_STRICT: dict[str, Any] = {
    "object_pairs_hook": _once,
    "parse_constant": _no_constant,
    "parse_int": _integer,
}


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return 1 + max(map(_depth, value), default=0)
