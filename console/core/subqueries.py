"""Reusable subqueries for querysets."""

from typing import Any

from django.db.models import Case, Count, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the count of these rows, which refer to an OuterRef, for each row of the outer query.

    It is evaluated only for the rows that are shown; a Count over a join would group all rows
    first.
    """
    counted = rows.order_by().values(one=Value(1)).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def half_of_rows(condition: Q) -> Case:
    """Return a condition on subqueries, of which PostgreSQL expects that half of the rows meet it.

    For the condition alone it expects few rows or none. It then reads and sorts them all, where it
    could read in the order of an index until the page is full.
    """
    return Case(When(condition, then=Value(value=True)), default=Value(value=False))
