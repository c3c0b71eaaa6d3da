"""ImmediateForeignKey: rows that point at each other agree on whose they are, at every statement.

Django's own foreign keys are asked when the transaction ends, and each by itself: a row could point
at two things of two owners, and what it points at could go and come back as another's.
"""

from collections.abc import Sequence
from typing import Any

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint, columns

_CREATE = (
    "ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) "
    "REFERENCES %(to_table)s (%(to_columns)s)"
)


class ImmediateForeignKey(SqlConstraint):
    """These fields together name a row of the model `to`, by its `to_fields`.

    The model needs a unique constraint on those. A row with an empty field is not asked. What is
    pointed at is neither removed nor renamed, not even for the length of a transaction.
    """

    drop_sql = "ALTER TABLE %(table)s DROP CONSTRAINT %(name)s"

    def __init__(
        self,
        *,
        fields: Sequence[str],
        to: str,
        to_fields: Sequence[str],
        name: str,
        sql: str = _CREATE,
    ) -> None:
        super().__init__(name=name)
        self.fields, self.to, self.to_fields = list(fields), to, list(to_fields)
        self.sql = sql

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        assert model is not None
        assert schema_editor is not None
        quote = schema_editor.quote_name
        # The model as the migration knows it, not as it is today.
        there = model._meta.apps.get_model(self.to)
        parts = {
            "columns": ", ".join(map(quote, columns(model, self.fields))),
            "to_table": quote(there._meta.db_table),
            "to_columns": ", ".join(map(quote, columns(there, self.to_fields))),
        }
        return self.statement(self.sql, model, schema_editor, **parts)

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        more = {"fields": self.fields, "to": self.to, "to_fields": self.to_fields}
        return path, args, kwargs | more
