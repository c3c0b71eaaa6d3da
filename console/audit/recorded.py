"""Constraints that require an audit entry for every change of certain columns.

Recorded: an entry about the row. RecordedAs: perhaps about another row, and saying what it says.
"""

from collections.abc import Mapping, Sequence
from typing import Any

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

    options: tuple[str, ...] = ("fields", "added", "about", "condition")

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
        parts = {"moments": " OR ".join(self._moments(model)), "condition": self.condition}
        return self.statement(self.sql, model, schema_editor, **parts, **self._arguments())

    def _moments(self, model: ConstrainedModel) -> list[str]:
        watched = quoted(columns(model, self.fields))
        return ["INSERT"] * self.added + [f"UPDATE OF {watched}"] * bool(watched)

    def _arguments(self) -> dict[str, str]:
        return {"about": self.about}


class RecordedAs(Recorded):
    """Require an audit entry about the row of table `of` in the column `about`.

    With `removed`, it applies to deletions too. `says` maps members of the entry's body to the
    columns that they must equal: `{"after,status": "status"}`.
    """

    options = (*Recorded.options, "of", "removed", "says")

    def __init__(
        self,
        *,
        of: str = "",
        removed: bool = False,
        says: Mapping[str, str] | None = None,
        sql: str = _CREATE.replace("'%(about)s'", "'%(about)s', '%(of)s', '%(pairs)s'"),
        **recorded: Any,
    ) -> None:
        super().__init__(sql=sql, **recorded)
        self.of, self.removed, self.says = of, removed, dict(says or {})

    def _moments(self, model: ConstrainedModel) -> list[str]:
        return [*super()._moments(model), *["DELETE"] * self.removed]

    def _arguments(self) -> dict[str, str]:
        pairs = " ".join(f"{member}={column}" for member, column in self.says.items())
        return {**super()._arguments(), "of": self.of, "pairs": pairs}


def changed(*columns: str) -> str:
    """Return the condition that one of these columns has another value than before."""
    return " OR ".join(f"OLD.{one} IS DISTINCT FROM NEW.{one}" for one in columns)


def recorded_status(rows: str) -> RecordedAs:
    """Return the constraint that an entry about the row says each new status; `rows` names them."""
    return RecordedAs(
        fields=["status"],
        name=f"statuses_of_{rows}_are_recorded",
        says={"after,status": "status"},
        condition=changed("status"),
    )
