"""DatabaseRule: a database function and its triggers, in a .sql file next to their model."""

from pathlib import Path
from typing import Self

from django.db.backends.ddl_references import Statement

from console.core.sql_constraint import ConstrainedModel, Editor, SqlConstraint


class DatabaseRule(SqlConstraint):
    """A database function of this name and its triggers, which are created and dropped together.

    We do not use django-pgtrigger: it cannot write SECURITY DEFINER functions or share one between
    tables, and any session can switch its triggers off with a setting.

    In a migration, keep its AddConstraint separate from CreateModel; `makemigrations` merges them.
    Otherwise dropping the table leaves the function behind, with its triggers on other tables.
    """

    drop_sql = "DROP FUNCTION public.%(name)s CASCADE"

    @classmethod
    def beside(cls, module: str, name: str) -> Self:
        """Return the rule from the file `name`.sql next to a module; pass its `__file__`."""
        return cls(name=name, sql=Path(module).with_name(f"{name}.sql").read_text())

    def create_sql(self, model: ConstrainedModel, schema_editor: Editor) -> Statement:  # type: ignore[override]
        # Passed as a parameter, so the per cent signs of RAISE need no doubling.
        return self.statement("%(sql)s", model, schema_editor, sql=self.sql)
