"""What the database keeps as it was written, whoever asks: constraints of a model.

NeverChanges: rows that are added and never altered or removed.
SetOnce: columns that are empty until their moment, and from then on never change.
KeptWhile: columns that never change while their row has one of some statuses.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.ddl_references import Statement, Table

FUNCTION = "console_refuse_change"
SET_ONCE_FUNCTION = "console_refuse_second_value"
KEPT_WHILE_FUNCTION = "console_refuse_late_change"
# Its arguments: the constraint, its columns, the status with which a row begins anew.
_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}('%(label)s')"
)
_CREATE_SET_ONCE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW "
    f"EXECUTE FUNCTION public.{SET_ONCE_FUNCTION}('%(label)s', '%(arguments)s', '%(anew)s')"
)
# Its arguments: the constraint, its columns, the statuses.
_CREATE_KEPT_WHILE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW "
    f"EXECUTE FUNCTION public.{KEPT_WHILE_FUNCTION}('%(label)s', '%(arguments)s', '%(statuses)s')"
)
_DROP = "DROP TRIGGER %(name)s ON %(table)s"
FrozenModel = type[models.Model] | None
Editor = BaseDatabaseSchemaEditor | None


class _Frozen(models.BaseConstraint):
    """A constraint that is a trigger of its own name, made by its `sql` (see MovesConstraint)."""

    sql: str

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"sql": self.sql}

    # Django's own constraints return a Statement here too.
    def create_sql(self, model: FrozenModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        raise NotImplementedError

    def remove_sql(self, model: FrozenModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._statement(_DROP, model, schema_editor)

    def constraint_sql(self, model: FrozenModel, schema_editor: Editor) -> str:
        """Add the trigger once the table exists; nothing stands inside CREATE TABLE."""
        assert schema_editor is not None
        schema_editor.deferred_sql.append(self.create_sql(model, schema_editor))
        return ""

    def validate(self, *_: Any, **__: Any) -> None:
        """A new row is always right; the database refuses the rest."""

    def __eq__(self, other: object) -> bool:
        if isinstance(other, type(self)):
            return bool(self.deconstruct() == other.deconstruct())
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def _statement(
        self, template: str, model: FrozenModel, schema_editor: Editor, **parts: str
    ) -> Statement:
        assert model is not None
        assert schema_editor is not None
        quote = schema_editor.quote_name
        table = Table(model._meta.db_table, quote)
        return Statement(template, table=table, name=quote(self.name), label=self.name, **parts)


class NeverChanges(_Frozen):
    """No UPDATE and no DELETE on this table."""

    def __init__(self, *, name: str, sql: str = _CREATE) -> None:
        super().__init__(name=name)
        self.sql = sql

    def create_sql(self, model: FrozenModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._statement(self.sql, model, schema_editor)


class _FrozenColumns(_Frozen):
    """A constraint on some columns of its table."""

    fields: list[str]

    def columns(self, model: FrozenModel) -> list[str]:
        """Return what the fields are called in the table."""
        assert model is not None
        columns = {field.name: str(field.column) for field in model._meta.concrete_fields}
        return [columns[name] for name in self.fields]

    def _of_columns(self, model: FrozenModel, schema_editor: Editor, **parts: str) -> Statement:
        columns = self.columns(model)
        quoted = ", ".join(f'"{column}"' for column in columns)
        parts |= {"columns": quoted, "arguments": " ".join(columns)}
        return self._statement(self.sql, model, schema_editor, **parts)


class SetOnce(_FrozenColumns):
    """Each of these columns is set once: from null, zero or empty to its value, and then never.

    `anew` names the status with which a row begins anew, and may be given other values.
    `deletable` lets rows be removed all the same; otherwise they are kept.
    """

    def __init__(
        self,
        *,
        fields: Sequence[str],
        name: str,
        anew: str = "",
        deletable: bool = False,
        sql: str = _CREATE_SET_ONCE,
    ) -> None:
        super().__init__(name=name)
        self.fields, self.anew, self.deletable = list(fields), str(anew), deletable
        self.sql = sql

    def create_sql(self, model: FrozenModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        or_delete = "" if self.deletable else " OR DELETE"
        return self._of_columns(model, schema_editor, or_delete=or_delete, anew=self.anew)

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        more = {"fields": self.fields, "anew": self.anew, "deletable": self.deletable}
        return path, args, kwargs | more


class KeptWhile(_FrozenColumns):
    """None of these columns changes while the row has one of these statuses, nor as it leaves it.

    The change that brings the row into the first of them is the last that may set them.
    """

    def __init__(
        self,
        *,
        fields: Sequence[str],
        statuses: Iterable[str],
        name: str,
        sql: str = _CREATE_KEPT_WHILE,
    ) -> None:
        super().__init__(name=name)
        self.fields, self.statuses = list(fields), [str(one) for one in statuses]
        self.sql = sql

    def create_sql(self, model: FrozenModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._of_columns(model, schema_editor, statuses=" ".join(self.statuses))

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"fields": self.fields, "statuses": self.statuses}
