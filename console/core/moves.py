"""MovesConstraint: a lifecycle's table as a constraint that the database enforces.

`UPDATE ... SET status`, `.update()` and raw SQL go through it like everything else: a move that
the table does not name is an IntegrityError that carries the constraint's name.
"""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table

FUNCTION = "console_refuse_unlisted_move"
# One function serves every table. It reads NEW.status, so the column is always called `status`.
_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}(%(arguments)s)"
)
_DROP = "DROP TRIGGER %(name)s ON %(table)s"


class MovesConstraint(models.BaseConstraint):
    """The allowed moves of the column `status`, as `here>there` arrows (`>start` begins a row).

    `sql` is what makes the trigger. A migration carries the words of its day; when they change
    here, `makemigrations` sees another constraint and writes a migration that replaces it.
    """

    def __init__(self, *, arrows: list[str], name: str, sql: str = _CREATE) -> None:
        super().__init__(name=name)
        self.arrows, self.sql = list(arrows), sql

    # Django's own constraints return a Statement here too.
    def create_sql(  # type: ignore[override]
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        arguments = f"'{self.name}', '{' '.join(self.arrows)}'"
        return self._statement(self.sql, model, schema_editor, arguments=arguments)

    def remove_sql(  # type: ignore[override]
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        return self._statement(_DROP, model, schema_editor)

    def constraint_sql(
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> str:
        """Add the trigger once the table exists; nothing stands inside CREATE TABLE."""
        assert schema_editor is not None
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def validate(
        self,
        model: type[models.Model],
        instance: models.Model,
        exclude: Any = None,
        using: str = "default",
    ) -> None:
        """Forms never carry a status, so there is nothing to say before the database does."""
        if instance.pk is None and f">{instance.status}" not in self.arrows:  # type: ignore[attr-defined]
            raise ValidationError(self.get_violation_error_message())

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"arrows": self.arrows, "sql": self.sql}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MovesConstraint):
            return bool(self.deconstruct() == other.deconstruct())
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.arrows)))

    def _statement(
        self,
        template: str,
        model: type[models.Model],
        schema_editor: BaseDatabaseSchemaEditor,
        **parts: str,
    ) -> Statement:
        quote = schema_editor.quote_name
        table = Table(model._meta.db_table, quote)
        return Statement(template, table=table, name=quote(self.name), **parts)
