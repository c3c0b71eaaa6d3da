"""Insert and change many rows of a model in one statement, from SQL for some of its columns."""
# ruff: noqa: S608  # all names are ours

from collections.abc import Callable
from typing import Any

import psycopg
from django.db import models
from django.db.models.expressions import DatabaseDefault
from psycopg import sql


class BulkRows:
    """One run: rows `first + 1` to `first + count` of each table, or some times as many.

    In the SQL of a column, `n` counts from 1 and `id` is the row's key.
    """

    def __init__(
        self, cursor: "psycopg.Cursor[Any]", first: int, count: int, say: Callable[[str], object]
    ) -> None:
        self.cursor, self.first, self.count, self.say = cursor, first, count, say

    def rows(
        self, model: type[models.Model], times: int = 1, where: str = "true", /, **given: str
    ) -> None:
        """Insert rows. Columns that are not given are empty, or have their default."""
        ids = {"id": "id", "public_id": f"'{_prefix(model)}_load' || id"} | given
        fields = [
            one
            for one in model._meta.concrete_fields
            if one.column in ids or not isinstance(one.get_default(), DatabaseDefault)
        ]
        values = ", ".join(ids.get(str(one.column), _empty(one)) for one in fields)
        columns = ", ".join(f'"{one.column}"' for one in fields)
        self.cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {values} FROM"
            f" (SELECT n, n + %s AS id FROM generate_series(1, %s::bigint) AS n) AS numbered"
            f" WHERE {where}",
            [self.first, self.count * times],
        )
        self.say(f"{self.cursor.rowcount:,} {model._meta.verbose_name_plural}")

    def change(self, model: type[models.Model], where: str, **given: str) -> None:
        """Change the rows of this run."""
        values = ", ".join(f'"{column}" = {value}' for column, value in given.items())
        values, where = (
            said.replace("n %%", f"(id - {self.first}) %%") for said in (values, where)
        )
        self.cursor.execute(
            f"UPDATE {model._meta.db_table} SET {values} WHERE id > %s AND {where}", [self.first]
        )


def _prefix(model: type[models.Model]) -> str:
    """Return the prefix of a model's public ids, if it has them."""
    named = {one.name: one for one in model._meta.concrete_fields}
    return str(named["public_id"].get_default()).partition("_")[0] if "public_id" in named else ""


def _empty(field: Any) -> str:
    """Return SQL for a column's default value, or else an empty one."""
    if field.null:
        return "NULL"
    if isinstance(field, models.DateTimeField):
        return "now()"
    if isinstance(field, models.JSONField):
        return "'[]'" if field.default is list else "'{}'"
    if isinstance(field, models.BinaryField):
        return "''"
    default = field.get_default()
    return "'{}'" if default == [] else sql.Literal(default).as_string().replace("%", "%%")
