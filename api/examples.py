"""Example calls, one of each operation, for the documentation. A test sends all of them."""

from collections.abc import Mapping
from typing import Any

from api.operations import OperationExample

REQUEST = {"request_id": "req_01k2z4m8c5v7b9n1q3w5e7r9t0"}
CREATED = {"created_at": "2026-09-01T09:30:00Z"}


def page_of(*items: Mapping[str, Any]) -> OperationExample:
    """Return the example of a list with these objects."""
    ends = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return OperationExample({"object": "list", "data": list(items), **ends, **REQUEST})


def reading(item: Mapping[str, Any]) -> OperationExample:
    """Return the example of reading an object by ID."""
    return OperationExample({**item, **REQUEST}, names={"id": item["id"]})


def making(item: Mapping[str, Any], body: Mapping[str, Any]) -> OperationExample:
    """Return the example of creating an object from this body."""
    return OperationExample({**item, **REQUEST}, body)
