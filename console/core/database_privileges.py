"""Privileges on the database itself, which a dump does not contain and a restore loses."""

from typing import Any

import psycopg
from psycopg import sql

# What the connected role may do and should not.
HELD = """
SELECT 'create temporary tables', has_database_privilege(current_database(), 'TEMPORARY')
UNION ALL SELECT 'create schemas', has_database_privilege(current_database(), 'CREATE')
UNION ALL SELECT 'create tables', has_schema_privilege('public', 'CREATE')
"""


def apply(owner: "psycopg.Connection[Any]") -> None:
    """Set them as the owner of the database. Idempotent.

    A temporary table could hide one of ours from a function that the owner runs.
    """
    name = sql.Identifier(owner.info.dbname)
    owner.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(name))
    owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
