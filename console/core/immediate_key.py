"""ImmediateForeignKey: a composite foreign key that is checked after every statement.

Django's own foreign keys are checked when the transaction ends, and each by itself. A row could
then point at rows of two different owners, or at one deleted and recreated for another owner.
"""

from collections.abc import Sequence

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint, columns, quoted

_CREATE = (
    "ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) "
    "REFERENCES %(to_table)s (%(to_columns)s)"
)


class ImmediateForeignKey(SqlConstraint):
    """Require these fields together to match a row of the model `to`, by its `to_fields`.

    The model needs a unique constraint on those fields. Rows with a null field are not checked. The
    referenced row cannot be deleted or have its key changed, not even within a transaction.
    """

    drop_sql = "ALTER TABLE %(table)s DROP CONSTRAINT %(name)s"
    options = ("fields", "to", "to_fields")

    def __init__(
        self,
        *,
        fields: Sequence[str],
        to: str,
        to_fields: Sequence[str],
        name: str,
        sql: str = _CREATE,
    ) -> None:
        super().__init__(name=name, sql=sql)
        self.fields, self.to, self.to_fields = list(fields), to, list(to_fields)

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        assert model is not None
        # The model as the migration knows it, not the current one.
        there = model._meta.apps.get_model(self.to)
        parts = {
            "columns": quoted(columns(model, self.fields)),
            "to_table": quoted([there._meta.db_table]),
            "to_columns": quoted(columns(there, self.to_fields)),
        }
        return self.statement(self.sql, model, schema_editor, **parts)
