"""Reusable subqueries for querysets."""

from typing import Any

from django.db.models import Count, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Any]) -> Coalesce:
    """Return the count of these rows, which refer to an OuterRef, for each row of the outer query.

    It is evaluated only for the rows that are shown; a Count over a join would group all rows
    first.
    """
    counted = rows.order_by().values(one=Value(1)).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
