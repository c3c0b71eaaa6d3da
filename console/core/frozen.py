"""NeverChanges: rows that are added and never altered or removed, whoever asks, as a constraint."""

from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table

FUNCTION = "console_refuse_change"
CREATE_FUNCTION = f"""
CREATE OR REPLACE FUNCTION public.{FUNCTION}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% rows never change', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END $$
"""
DROP_FUNCTION = f"DROP FUNCTION IF EXISTS public.{FUNCTION}()"

_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}('%(label)s')"
)
_DROP = "DROP TRIGGER %(name)s ON %(table)s"
Model = type[models.Model] | None
Editor = BaseDatabaseSchemaEditor | None


class NeverChanges(models.BaseConstraint):
    """No UPDATE and no DELETE on this table."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name=name)

    # Django's own constraints return a Statement here too.
    def create_sql(self, model: Model, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._statement(_CREATE, model, schema_editor, label=self.name)

    def remove_sql(self, model: Model, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._statement(_DROP, model, schema_editor)

    def constraint_sql(self, model: Model, schema_editor: Editor) -> str:
        """Add the trigger once the table exists; nothing stands inside CREATE TABLE."""
        assert schema_editor is not None
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def validate(self, *_: Any, **__: Any) -> None:
        """A new row is always right; the database refuses the rest."""

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, NeverChanges) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def _statement(
        self, template: str, model: Model, schema_editor: Editor, **parts: str
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        quote = schema_editor.quote_name
        table = Table(model._meta.db_table, quote)
        return Statement(template, table=table, name=quote(self.name), **parts)
