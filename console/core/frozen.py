"""Model constraints for immutable data, which database triggers enforce.

NeverChanges: rows that can be added but never changed or deleted.
SetOnce: columns that start empty and can be set only once.
KeptWhile: columns that cannot change while their row has one of certain statuses.
"""

from collections.abc import Iterable, Sequence

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint, columns, quoted

FUNCTION = "console_refuse_change"
SET_ONCE_FUNCTION = "console_refuse_second_value"
KEPT_WHILE_FUNCTION = "console_refuse_late_change"
# Arguments: the constraint, its columns, the status in which a row starts over.
_CREATE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s "
    f"FOR EACH ROW EXECUTE FUNCTION public.{FUNCTION}('%(label)s')"
)
_CREATE_SET_ONCE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW "
    f"EXECUTE FUNCTION public.{SET_ONCE_FUNCTION}('%(label)s', '%(arguments)s', '%(anew)s')"
)
# Arguments: the constraint, its columns, the statuses.
_CREATE_KEPT_WHILE = (
    "CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW "
    f"EXECUTE FUNCTION public.{KEPT_WHILE_FUNCTION}('%(label)s', '%(arguments)s', '%(statuses)s')"
)


class NeverChanges(SqlConstraint):
    """Refuse UPDATE and DELETE on this table."""

    def __init__(self, *, name: str, sql: str = _CREATE) -> None:
        super().__init__(name=name, sql=sql)


class _FrozenColumns(SqlConstraint):
    """A constraint on some columns of its table."""

    fields: list[str]

    def _of_columns(
        self, model: ConstrainedModel, schema_editor: Editor, **parts: str
    ) -> Statement:
        names = columns(model, self.fields)
        parts |= {"columns": quoted(names), "arguments": " ".join(names)}
        return self.statement(self.sql, model, schema_editor, **parts)


class SetOnce(_FrozenColumns):
    """Let each of these columns change once, from null, zero or empty to its value.

    `anew` is the status in which a row starts over: the change to it may also change these columns.

    `deletable` allows rows to be deleted, which is refused otherwise.
    """

    options = ("fields", "anew", "deletable")

    def __init__(
        self,
        *,
        fields: Sequence[str],
        name: str,
        anew: str = "",
        deletable: bool = False,
        sql: str = _CREATE_SET_ONCE,
    ) -> None:
        super().__init__(name=name, sql=sql)
        self.fields, self.anew, self.deletable = list(fields), str(anew), deletable

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        or_delete = "" if self.deletable else " OR DELETE"
        return self._of_columns(model, schema_editor, or_delete=or_delete, anew=self.anew)


class KeptWhile(_FrozenColumns):
    """Refuse changes to these columns while the row has one of these statuses, or as it leaves one.

    The update that moves the row into the first of these statuses may still set them.
    """

    options = ("fields", "statuses")

    def __init__(
        self,
        *,
        fields: Sequence[str],
        statuses: Iterable[str],
        name: str,
        sql: str = _CREATE_KEPT_WHILE,
    ) -> None:
        super().__init__(name=name, sql=sql)
        self.fields, self.statuses = list(fields), [str(one) for one in statuses]

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        return self._of_columns(model, schema_editor, statuses=" ".join(self.statuses))
