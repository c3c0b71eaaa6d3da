"""Columns that the API writes in a way of their own."""

from typing import Any

from django.db import models


class MinorUnits(models.BigIntegerField):  # type: ignore[type-arg]  # not at run time
    """An amount in minor units of the currency that the column `of` names; a decimal text outside.

    It is never null: what is not known yet has no column of this kind.
    """

    def __init__(self, *args: Any, of: str = "currency", **more: Any) -> None:
        super().__init__(*args, **more)
        self.of = of

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"of": self.of}
