"""MovesConstraint: a lifecycle's table as a constraint that the database enforces.

It also covers `UPDATE ... SET status`, `.update()` and raw SQL. A change that the table does not
allow raises an IntegrityError with the constraint's name.
"""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint

FUNCTION = "console_refuse_unlisted_move"
# All tables share one function. It reads NEW.status, so the column must be called `status`.
_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}(%(arguments)s)"
)


class MovesConstraint(SqlConstraint):
    """The allowed changes of `status`, as `here>there` arrows (`>start`: a new row's status)."""

    options = ("arrows",)

    def __init__(self, *, arrows: list[str], name: str, sql: str = _CREATE) -> None:
        super().__init__(name=name, sql=sql)
        self.arrows = list(arrows)

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        arguments = f"'{self.name}', '{' '.join(self.arrows)}'"
        return self.statement(self.sql, model, schema_editor, arguments=arguments)

    def validate(
        self,
        model: type[models.Model],
        instance: models.Model,
        exclude: Any = None,
        using: str = "default",
    ) -> None:
        """Check only a new row's status: forms never set one, and the database checks changes."""
        if instance.pk is None and f">{instance.status}" not in self.arrows:  # type: ignore[attr-defined]
            raise ValidationError(self.get_violation_error_message())
