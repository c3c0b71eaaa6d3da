"""What the database keeps as it was written, whoever asks: constraints of a model.

NeverChanges: rows that are added and never altered or removed.
SetOnce: columns that are empty until their moment, and from then on never change.
KeptWhile: columns that never change while their row has one of some statuses.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint, columns

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


class NeverChanges(SqlConstraint):
    """No UPDATE and no DELETE on this table."""

    def __init__(self, *, name: str, sql: str = _CREATE) -> None:
        super().__init__(name=name)
        self.sql = sql


class _FrozenColumns(SqlConstraint):
    """A constraint on some columns of its table."""

    fields: list[str]

    def _of_columns(
        self, model: ConstrainedModel, schema_editor: Editor, **parts: str
    ) -> Statement:
        names = columns(model, self.fields)
        quoted = ", ".join(f'"{name}"' for name in names)
        parts |= {"columns": quoted, "arguments": " ".join(names)}
        return self.statement(self.sql, model, schema_editor, **parts)


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

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
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

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._of_columns(model, schema_editor, statuses=" ".join(self.statuses))

    def deconstruct(self) -> Any:
        path, args, kwargs = super().deconstruct()
        return path, args, kwargs | {"fields": self.fields, "statuses": self.statuses}
