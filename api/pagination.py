"""Pagination: opaque signed cursors, keyset order, newest first."""

import base64
import binascii
import hashlib
import hmac
import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.models import Q
from rest_framework.pagination import BasePagination
from rest_framework.response import Response

from api.fields import QueryWhole, StrictText
from api.problems import ApiProblem, unreadable
from api.validation import QuerySerializer

MOST, DEFAULT = 100, 25
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# Version, direction, microseconds of the sort key, ID, digest of what the cursor is bound to.
_LAYOUT = struct.Struct(">BBqq8s")
_VERSION = 1
_MAC = 8
_NO_CURSOR = "Use a cursor from this list with the same filters and the same key."
_OF_OTHER_FILTERS = (
    "This cursor was made with other filters, or for another list or business. Send it with the"
    " filters of its page, or leave it out to begin with the first page."
)


class CursorText(StrictText):
    """A cursor as sent; verified only when it is read."""

    def to_internal_value(self, data: str) -> str:
        return data


class PageQuerySerializer(QuerySerializer):
    """Query parameters of every list."""

    cursor = CursorText(
        required=False,
        allow_blank=True,
        help_text="The `next_cursor` or `prev_cursor` of a page. Send the same filters with it."
        " Empty or left out, you get the first page.",
    )
    limit = QueryWhole(
        min_value=1, max_value=MOST, default=DEFAULT, help_text="The number of rows per page."
    )


@dataclass(frozen=True, slots=True)
class PagePosition:
    """A row's position in the order, and whether to read on after it or back before it."""

    microseconds: int
    id: int
    back: bool = False

    @property
    def condition(self) -> Q:
        """Return the condition for rows beyond this position."""
        at = _EPOCH + self.microseconds * _MICROSECOND
        if self.back:
            return Q(created_at__gte=at) & (Q(created_at__gt=at) | Q(id__gt=self.id))
        return Q(created_at__lte=at) & (Q(created_at__lt=at) | Q(id__lt=self.id))


class KeysetPagination(BasePagination):
    """Keyset pagination by `created_at`, then the key, both descending.

    A cursor is bound to the business, environment, operation and filters.
    """

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> list[Any]:
        self.start(view)
        if self.place is None:
            rows = queryset.order_by("-created_at", "-id")
        elif self.place.back:
            rows = queryset.filter(self.place.condition).order_by("created_at", "id")
        else:
            rows = queryset.filter(self.place.condition).order_by("-created_at", "-id")
        return self.take(list(rows[: self.limit + 1]))

    def start(self, view: Any) -> None:
        """Read a call's `limit` and `cursor`."""
        given = dict(view.parameters)
        self.limit, cursor = given.pop("limit"), given.pop("cursor", None)
        said = {n: sorted(set(v)) if isinstance(v, list) else v for n, v in given.items()}
        scope = (
            view.operation.name,
            *view.kwargs.values(),
            str(view.business.pk),
            view.environment,
        )
        filters = (f"{name}={said[name]}" for name in sorted(said) if said[name])
        self.bound = hashlib.sha256("\0".join((*scope, *filters)).encode()).digest()[:8]
        self.place = read(cursor, self.bound) if cursor else None

    def take(self, found: list[Any]) -> list[Any]:
        """Return the page's rows. `found` may have one row more, which means there is a next page.

        Rows have `created_at` and `id`, and are in the order in which they were read.
        """
        back = self.place is not None and self.place.back
        more, rows = len(found) > self.limit, found[: self.limit]
        if back:
            rows.reverse()
        self.after = rows[-1] if rows and (more or back) else None
        begins = self.place is None or (back and not more)
        self.before = None if begins or not rows else rows[0]
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        return Response(
            {
                "object": "list",
                "data": data,
                "has_more": self.after is not None,
                "next_cursor": self.after and _write(self.after, self.bound, back=False),
                "prev_cursor": self.before and _write(self.before, self.bound, back=True),
            }
        )


def whole(data: Any) -> Response:
    """Return a list response that fits on one page."""
    ends = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return Response({"object": "list", "data": data, **ends})


def read(cursor: str, bound: bytes) -> PagePosition:
    """Return a cursor's position. Raises a validation problem if it is invalid."""
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        body, mac = raw[:-_MAC], raw[-_MAC:]
        version, back, microseconds, row_id, was_bound = _LAYOUT.unpack(body)
    except (ValueError, binascii.Error, struct.error):
        raise _refused() from None
    if version != _VERSION or not hmac.compare_digest(mac, _mac(body)):
        raise _refused()
    if was_bound != bound:
        raise unreadable("/cursor", "unknown_cursor", _OF_OTHER_FILTERS)
    return PagePosition(microseconds, row_id, back=bool(back))


def _write(row: Any, bound: bytes, *, back: bool) -> str:
    microseconds = (row.created_at - _EPOCH) // _MICROSECOND
    body = _LAYOUT.pack(_VERSION, back, microseconds, row.id, bound)
    return base64.urlsafe_b64encode(body + _mac(body)).rstrip(b"=").decode()


def _mac(body: bytes) -> bytes:
    return hmac.digest(_key(settings.SECRET_KEY), body, "sha256")[:_MAC]


@lru_cache(maxsize=2)
def _key(secret: str) -> bytes:
    return hashlib.sha256(b"api.pagination:" + secret.encode()).digest()


def _refused() -> ApiProblem:
    return unreadable("/cursor", "unknown_cursor", _NO_CURSOR)
