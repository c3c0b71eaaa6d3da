"""Reading a request's body: size, content type, and JSON that means one thing only."""

import json
from typing import Any

from api.gateway.calls import Call
from api.gateway.problems import ApiProblem, unreadable

LARGEST = 256 * 1024
LONGEST_ADDRESS = 8 * 1024
_DEEPEST = 20


def check_size(call: Call) -> None:
    """Refuse a request whose address or announced body is too long, before anything reads it."""
    if len(call.path) + len(call.query) > LONGEST_ADDRESS:
        raise unreadable("/url", "too_long", "Keep the address under 8 KiB.", status=413)
    length = call.environ.get("CONTENT_LENGTH")
    if not length:
        return
    if not (length.isascii() and length.isdigit()):
        raise unreadable("/headers/Content-Length", "not_a_number", "Send the length in digits.")
    if len(length) > 9 or int(length) > LARGEST:
        raise too_large()


def too_large() -> ApiProblem:
    """Return the problem of a body that is larger than any that is read."""
    return unreadable("/body", "too_large", "Keep the body under 256 KiB.", status=413)


def read(call: Call) -> None:
    """Read the JSON object of a request that carries one."""
    if not call.operation.reads_body:
        return
    kind = call.environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        detail = "Send the body as Content-Type: application/json."
        raise unreadable("/headers/Content-Type", "not_json", detail, status=415)
    raw = _bytes(call)
    try:
        body = json.loads(raw, object_pairs_hook=_once, parse_constant=_no_constant)
        if _depth(body) > _DEEPEST:
            raise ValueError("Nest at most 20 levels.")
    except RecursionError:
        raise unreadable("/body", "too_deep", "Nest at most 20 levels.") from None
    except ValueError as error:
        raise unreadable("/body", "not_json", f"The body cannot be read: {error}"[:200]) from None
    if not isinstance(body, dict):
        raise unreadable("/body", "not_an_object", "Send a JSON object.")
    call.body = body


def _bytes(call: Call) -> bytes:
    stream = call.environ["wsgi.input"]
    length = int(call.environ.get("CONTENT_LENGTH") or 0)
    # Without a length the body is chunked: read up to the limit and one byte more.
    raw: bytes = stream.read(length or LARGEST + 1)
    if len(raw) > LARGEST:
        raise too_large()
    return raw


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice.")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON.")


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return 1 + max(map(_depth, value), default=0)
