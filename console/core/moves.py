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
CREATE_FUNCTION = f"""
CREATE OR REPLACE FUNCTION public.{FUNCTION}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  here text := '';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    here := OLD.status;
    IF NEW.status = here THEN RETURN NEW; END IF;
  END IF;
  IF here || '>' || NEW.status = ANY (string_to_array(TG_ARGV[1], ' ')) THEN RETURN NEW; END IF;
  RAISE EXCEPTION '% does not allow % to become %', TG_ARGV[0], here, NEW.status
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END $$
"""
DROP_FUNCTION = f"DROP FUNCTION IF EXISTS public.{FUNCTION}()"

_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}(%(arguments)s)"
)
_DROP = "DROP TRIGGER %(name)s ON %(table)s"


class MovesConstraint(models.BaseConstraint):
    """The allowed moves of the column `status`, as `here>there` arrows (`>start` begins a row)."""

    def __init__(self, *, arrows: list[str], name: str) -> None:
        super().__init__(name=name)
        self.arrows = list(arrows)

    # Django's own constraints return a Statement here too.
    def create_sql(  # type: ignore[override]
        self, model: type[models.Model] | None, schema_editor: BaseDatabaseSchemaEditor | None
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        arguments = f"'{self.name}', '{' '.join(self.arrows)}'"
        return self._statement(_CREATE, model, schema_editor, arguments=arguments)

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
        return path, args, kwargs | {"arrows": self.arrows}

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MovesConstraint):
            return (self.name, self.arrows) == (other.name, other.arrows)
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
