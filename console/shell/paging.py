"""Long lists, a page at a time."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.utils.functional import cached_property

SIZE = 25
# More rows are not counted, and are found by narrowing the list: it costs the same however long.
MOST = 1_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # not at run time
    """Counts to MOST; a list that is longer says so."""

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
    """Return the page that `?page=` names; a number out of range gives the nearest page."""
    return BoundedPaginator(rows, size).get_page(request.GET.get("page"))
