"""Read the rows of one table as the API shows them, in keyset order."""

from collections.abc import Sequence
from typing import Any

from django.db import models

from api.gateway.pages import PagePosition

ApiRow = tuple[Any, ...]


class RowReader:
    """Reads some columns of a table that has a business, an environment and a moment of creation.

    `filters` are the columns that a list can be narrowed by, each to a list of texts.
    """

    def __init__(
        self, model: type[models.Model], columns: Sequence[str], *, filters: Sequence[str] = ()
    ) -> None:
        self.columns, self._filters = tuple(columns), tuple(filters)
        self._rows = model._default_manager.order_by("-created_at", "-id")
        if "removed_at" in {field.name for field in model._meta.concrete_fields}:
            # What was removed is kept for those that name it, and not shown.
            self._rows = self._rows.filter(removed_at=None)

    def page(
        self,
        *,
        business: int,
        environment: str,
        place: PagePosition | None,
        count: int,
        filters: Sequence[Sequence[str]] = (),
    ) -> list[ApiRow]:
        """Return up to `count` rows of (id, created_at, *columns), read on from a place."""
        rows = self._rows.filter(business=business, environment=environment)
        for name, values in zip(self._filters, filters, strict=True):
            if values:
                rows = rows.filter(**{f"{name}__in": values})
        if place is not None:
            rows = rows.filter(place.condition)
            rows = rows.order_by("created_at", "id") if place.back else rows
        return list(rows.values_list("id", "created_at", *self.columns)[:count])

    def one(self, *, business: int, public_id: str) -> ApiRow | None:
        """Return (environment, *columns) of a business's own row, in whichever environment."""
        own = self._rows.filter(business=business, public_id=public_id)
        return own.values_list("environment", *self.columns).first()
