"""Recorded: a constraint that requires an audit entry for every change of certain columns."""

from collections.abc import Sequence

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint, columns, quoted

_CREATE = (
    "CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s"
    " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s)"
    " EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"
)


class Recorded(SqlConstraint):
    """Require an audit entry about the row in the same transaction, checked at commit.

    It applies when one of `fields` changes and, with `added`, when a row is inserted. The entry
    must be about the user in the column `about` or, without it, about the row. `condition` limits
    it to some rows, in SQL about NEW.
    """

    options = ("fields", "added", "about", "condition")

    def __init__(
        self,
        *,
        fields: Sequence[str],
        name: str,
        added: bool = False,
        about: str = "",
        condition: str = "true",
        sql: str = _CREATE,
    ) -> None:
        super().__init__(name=name, sql=sql)
        self.fields, self.added = list(fields), added
        self.about, self.condition = about, condition

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        watched = quoted(columns(model, self.fields))
        moments = f"{'INSERT OR ' if self.added else ''}UPDATE OF {watched}"
        parts = {"moments": moments, "condition": self.condition, "about": self.about}
        return self.statement(self.sql, model, schema_editor, **parts)
