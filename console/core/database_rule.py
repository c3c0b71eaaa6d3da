"""DatabaseRule: a function and the triggers that call it, in a .sql file beside their model."""

from pathlib import Path
from typing import Self

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint


class DatabaseRule(SqlConstraint):
    """A function of this name, and the triggers that call it; they are made and removed together.

    We do not use django-pgtrigger: it cannot write SECURITY DEFINER functions or share one between
    tables, and any session can switch its triggers off with a setting.

    Keep its AddConstraint apart from CreateModel in a migration, where `makemigrations` merges
    them: dropping a table leaves the function behind, and its triggers on other tables.
    """

    drop_sql = "DROP FUNCTION public.%(name)s CASCADE"

    def __init__(self, *, name: str, sql: str) -> None:
        super().__init__(name=name)
        self.sql = sql

    @classmethod
    def beside(cls, module: str, name: str) -> Self:
        """Return the rule in the file `name`.sql beside a module, which passes its `__file__`."""
        return cls(name=name, sql=Path(module).with_name(f"{name}.sql").read_text())

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        # A part is taken as it is: the per cent signs of RAISE need no doubling.
        return self.statement("%(sql)s", model, schema_editor, sql=self.sql)
