"""Pages of a list: opaque signed cursors, keyset order, newest first (keys-and-api 3.6)."""

import base64
import binascii
import hashlib
import hmac
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.models import Q

from api.gateway.fields import QueryWhole, StrictSerializer, StrictText
from api.gateway.operations import ApiAnswer, Call
from api.gateway.problems import ApiProblem, Fault

MOST, DEFAULT = 100, 25
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Version, direction, microseconds of the sort key, id, digest of what the cursor is bound to.
_LAYOUT = struct.Struct(">BBqq8s")
_VERSION = 1
_MAC = 8


class CursorText(StrictText):
    """A cursor as it was sent. Whether it is one of ours is told when it is read."""

    def to_internal_value(self, data: str) -> str:
        return data


class PageQuery(StrictSerializer):
    """The parameters of every list."""

    unknown = "unknown_parameter"

    cursor = CursorText(
        required=False,
        allow_blank=True,
        help_text="`next_cursor` or `prev_cursor` of a page, with the same filters.",
    )
    limit = QueryWhole(
        min_value=1, max_value=MOST, default=DEFAULT, help_text="How many rows a page has."
    )


@dataclass(frozen=True, slots=True)
class PagePosition:
    """A row's place in the order, and whether to read on after it or back before it."""

    microseconds: int
    id: int
    back: bool = False

    @property
    def condition(self) -> Q:
        """Return what holds of the rows that are read on from here."""
        at = _EPOCH + self.microseconds * _MICROSECOND
        if self.back:
            return Q(created_at__gte=at) & (Q(created_at__gt=at) | Q(id__gt=self.id))
        return Q(created_at__lte=at) & (Q(created_at__lt=at) | Q(id__lt=self.id))


# Before every row there is: the end of the year 9999.
BEGINNING = PagePosition(253_402_300_799_000_000, 2**63 - 1)


@dataclass(frozen=True, slots=True)
class Window:
    """What part of a list is asked for. `bound` ties its cursors to caller and filters."""

    limit: int
    place: PagePosition | None
    bound: bytes

    @property
    def back(self) -> bool:
        return self.place is not None and self.place.back

    @property
    def fetch(self) -> int:
        """One row more than the page, to know whether there is more."""
        return self.limit + 1


def window(call: Call, *filters: str) -> Window:
    """Take `limit` and `cursor`. A cursor of another caller or other filters is refused."""
    limit, cursor = call.parameters["limit"], call.parameters.get("cursor")
    scope = (call.operation.name, str(call.business.pk), call.environment, *filters)
    bound = hashlib.sha256("\0".join(scope).encode()).digest()[:8]
    return Window(limit, read(cursor, bound) if cursor is not None else None, bound)


def page(
    found: Sequence[tuple[Any, ...]], asked: Window, present: Callable[..., dict[str, Any]]
) -> ApiAnswer:
    """Answer a list from rows of (id, created_at, ...), fetched in the window's direction."""
    more = len(found) > asked.limit
    rows = list(found[: asked.limit])
    if asked.back:
        rows.reverse()
    after = bool(rows) and (more or asked.back)
    before = bool(rows) and (asked.place is not None and (more or not asked.back))
    return ApiAnswer(
        {
            "object": "list",
            "data": [present(*row[2:]) for row in rows],
            "has_more": after,
            "next_cursor": _write(rows[-1], asked.bound, back=False) if after else None,
            "prev_cursor": _write(rows[0], asked.bound, back=True) if before else None,
        }
    )


def whole(found: Sequence[dict[str, Any]]) -> ApiAnswer:
    """Answer a list that is one page."""
    ends = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return ApiAnswer({"object": "list", "data": list(found), **ends})


def none(call: Call) -> ApiAnswer:
    """Answer a list in which nothing can be yet; what is asked of it is read as of any other."""
    return page([], window(call), dict)


def read(cursor: str, bound: bytes) -> PagePosition:
    """Open a cursor, or refuse it."""
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        body, mac = raw[:-_MAC], raw[-_MAC:]
        version, back, microseconds, row_id, was_bound = _LAYOUT.unpack(body)
    except (ValueError, binascii.Error, struct.error):
        raise _refused() from None
    if version != _VERSION or not hmac.compare_digest(mac, _mac(body)) or was_bound != bound:
        raise _refused()
    return PagePosition(microseconds, row_id, back=bool(back))


def _write(row: tuple[Any, ...], bound: bytes, *, back: bool) -> str:
    row_id, created_at = row[:2]
    microseconds = (created_at - _EPOCH) // _MICROSECOND
    body = _LAYOUT.pack(_VERSION, back, microseconds, row_id, bound)
    return base64.urlsafe_b64encode(body + _mac(body)).rstrip(b"=").decode()


def _mac(body: bytes) -> bytes:
    return hmac.digest(_key(settings.SECRET_KEY), body, "sha256")[:_MAC]


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return hashlib.sha256(b"api.gateway.pages:" + secret.encode()).digest()


def _refused() -> ApiProblem:
    detail = "Use a cursor from the list you are reading, with the same filters and the same key."
    fault = Fault("/cursor", "unknown_cursor", detail)
    return ApiProblem("VALIDATION_ERROR", detail, status=400, errors=[fault])
