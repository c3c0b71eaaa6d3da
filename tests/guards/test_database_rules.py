"""The database has the functions of the migrations, the triggers of the models, and no others."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from console.core.frozen import KeptWhile, NeverChanges, SetOnce
from console.core.immediate_key import ImmediateForeignKey
from console.core.moves import MovesConstraint
from tests.databases import as_owner

FUNCTIONS = """
SELECT proname, pg_get_functiondef(pg_proc.oid), oid::regprocedure::text FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
"""
TRIGGERS = """
SELECT tgname, pg_get_triggerdef(oid), tgrelid::regclass::text FROM pg_trigger
WHERE NOT tgisinternal AND tgparentid = 0
"""


def in_the_database(owner) -> dict[str, str]:
    rows = owner.execute(FUNCTIONS).fetchall() + owner.execute(TRIGGERS).fetchall()
    return {name: definition for name, definition, _ in rows}


def declared() -> list[str]:
    """Return the statements that make every rule: `RULES` of migrations, constraints of models."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    modules = [import_module(migration.__module__) for migration, _ in plan]
    rules = [module.RULES for module in modules if hasattr(module, "RULES")]
    assert len(rules) > 5
    with connection.schema_editor(collect_sql=True) as editor:
        return rules + [
            str(constraint.create_sql(model, editor))
            for model in apps.get_models()
            for constraint in model._meta.constraints
            if isinstance(constraint, MovesConstraint | NeverChanges | SetOnce | KeptWhile)
        ]


def differences(owner) -> set[str]:
    """Return which rules differ between the database and the code; the transaction is spent."""
    made = in_the_database(owner)
    for name, _, table in owner.execute(TRIGGERS).fetchall():
        owner.execute(f'DROP TRIGGER "{name}" ON {table}')
    for _, _, signature in owner.execute(FUNCTIONS).fetchall():
        owner.execute(f"DROP FUNCTION {signature}")
    for statement in declared():
        owner.execute(statement)
    return {name for name, _ in made.items() ^ in_the_database(owner).items()}


@pytest.fixture
def owner(django_db_setup):
    with as_owner() as owner:
        yield owner
        owner.rollback()


def test_the_database_has_the_rules_of_the_code(owner):
    assert len(in_the_database(owner)) > 50
    assert differences(owner) == set()


def test_immediate_keys_are_asked_at_once(owner):
    keys = [
        one.name
        for model in apps.get_models()
        for one in model._meta.constraints
        if isinstance(one, ImmediateForeignKey)
    ]
    found = "SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT condeferrable"
    assert len(keys) > 5
    assert set(keys) <= {name for (name,) in owner.execute(found).fetchall()}


@pytest.mark.parametrize(
    ("planted", "name"),
    [
        ("DROP TRIGGER decisions_never_change ON agreements_decision", "decisions_never_change"),
        (
            "CREATE TRIGGER unknown AFTER INSERT ON accounts_user FOR EACH ROW"
            " EXECUTE FUNCTION console_refuse_change('unknown')",
            "unknown",
        ),
        (
            "CREATE OR REPLACE FUNCTION public.console_refuse_change() RETURNS trigger"
            " LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
            "console_refuse_change",
        ),
    ],
)
def test_it_sees_a_planted_difference(owner, planted, name):
    owner.execute(planted)

    assert name in differences(owner)
