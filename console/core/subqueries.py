"""Parts of queries that stand beside each row."""

from typing import Any

from django.db.models import Count, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce


def count_of(rows: QuerySet[Any]) -> Coalesce:
    """Return how many of these rows, which name an OuterRef, belong to a row.

    It is asked for the rows that are shown. A Count over a join groups every row there is first.
    """
    counted = rows.order_by().values(one=Value(1)).annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
