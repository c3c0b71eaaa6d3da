"""The site's database role: it may change rows, and owns nothing."""

import pytest
from django.db import DatabaseError, connection, transaction

from tests import factories
from tests.databases import as_owner

REFUSED = [
    "TRUNCATE accounts_business",
    "CREATE TABLE mine (id int)",
    "CREATE TEMPORARY TABLE audit_entry (id int)",
    "ALTER TABLE accounts_business ADD COLUMN mine int",
    "DROP TABLE accounts_business",
    "DROP TRIGGER audit_entry_never_changes ON audit_entry",
    "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
    "SET ROLE owner",
    "SET session_replication_role = replica",
    "UPDATE audit_entry SET code = 'x'",
    "DELETE FROM audit_entry",
    "INSERT INTO audit_link (chain, seq, entry_id, prev, hash) VALUES ('main', 1, 1, '', '')",
    "UPDATE audit_link SET hash = ''",
    "DELETE FROM audit_unlinked",
    "INSERT INTO audit_unlinked (entry_id, transaction) VALUES (1, 1)",
    "UPDATE audit_head SET count = 0",
    "DELETE FROM audit_head",
    "UPDATE apikeys_stagedbusiness SET stage = 'live'",
    "DELETE FROM apikeys_stagedbusiness",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
]


def test_the_site_may_not():
    for statement in REFUSED:
        with (
            pytest.raises(DatabaseError, match=r"permission denied|must be owner"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def test_the_site_owns_no_table():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("site",)
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = 'site'::regrole")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db(transaction=True)
def test_the_owner_meets_the_triggers():
    factories.a_business()
    for statement in (
        "UPDATE audit_entry SET code = 'x'",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry CASCADE",
    ):
        with as_owner() as owner, pytest.raises(Exception, match="never change"):
            owner.execute(statement)
