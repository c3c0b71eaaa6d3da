"""SqlConstraint: a model constraint made of our own SQL, created and dropped by name."""

from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table

ConstrainedModel = type[models.Model] | None
Editor = BaseDatabaseSchemaEditor | None


class SqlConstraint(models.BaseConstraint):
    """A constraint that `sql` creates and `drop_sql` drops.

    A migration contains the SQL of its time. When the SQL changes here, `makemigrations` sees a
    different constraint and writes a migration that replaces it. `options` names the arguments
    that a migration contains besides.
    """

    drop_sql = "DROP TRIGGER %(name)s ON %(table)s"
    options: tuple[str, ...] = ()

    def __init__(self, *, name: str, sql: str) -> None:
        super().__init__(name=name)
        self.sql = sql

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {one: getattr(self, one) for one in ("sql", *self.options)}

    # Django's own constraints return a Statement here too.
    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self.statement(self.sql, model, schema_editor)

    def remove_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self.statement(self.drop_sql, model, schema_editor)

    def constraint_sql(self, model: ConstrainedModel, schema_editor: Editor) -> str:
        """Add the constraint once the table exists, not inside CREATE TABLE."""
        assert schema_editor is not None
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def validate(self, *_: Any, **__: Any) -> None:
        """Check nothing in Python: the database enforces the constraint."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, type(self)):
            return bool(self.deconstruct() == other.deconstruct())
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def statement(
        self, template: str, model: ConstrainedModel, schema_editor: Editor, **parts: str
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        quote = schema_editor.quote_name
        table = Table(model._meta.db_table, quote)
        return Statement(template, table=table, name=quote(self.name), label=self.name, **parts)


def columns(model: ConstrainedModel, fields: Iterable[str]) -> list[str]:
    assert model is not None
    names = {field.name: str(field.column) for field in model._meta.concrete_fields}
    return [names[field] for field in fields]


def quoted(names: Iterable[str]) -> str:
    """Return column names as SQL lists them."""
    return ", ".join(f'"{name}"' for name in names)
