"""Pagination of long lists."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property

SIZE = 25
# Rows beyond this are not counted, so the cost is bounded; users narrow the list to find them.
MOST = 1_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # not at run time
    """Counts up to MOST. `has_more` tells whether there are more."""

    @cached_property
    def count(self) -> int:
        return min(self.counted, MOST)

    @property
    def has_more(self) -> bool:
        return self.counted > MOST

    @cached_property
    def counted(self) -> int:
        rows: Any = self.object_list
        return len(rows) if isinstance(rows, list) else rows[: MOST + 1].count()


def page_of(request: HttpRequest, rows: Any, *, size: int = SIZE) -> Page[Any]:
    """Return the page in `?page=`, or the nearest one if the number is out of range."""
    return BoundedPaginator(rows, size).get_page(request.GET.get("page"))
