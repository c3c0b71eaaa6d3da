"""Long lists, a page at a time."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

SIZE = 25


def page_of(request: HttpRequest, rows: Any, *, size: int = SIZE) -> Page[Any]:
    """Return the page that `?page=` names; a number out of range gives the nearest page."""
    return Paginator(rows, size).get_page(request.GET.get("page"))
