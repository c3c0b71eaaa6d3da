"""Every status has a row, a way in and a tone, and the database holds the very same table."""

import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from console.core import lifecycles
from console.core.lifecycle import Lifecycle
from console.core.moves import FUNCTION
from console.shell import tones
from tests.databases import as_owner

BOUND = list(lifecycles.bound())


def faults_of(table: Lifecycle, statuses: set[str], toned: frozenset[str]) -> list[str]:
    """Return what is wrong between a table, the statuses there are, and the tones there are."""
    onward = {there for moves in table.moves.values() for there in moves}
    return [
        *(f"{status} has no row" for status in sorted((statuses | onward) - table.moves.keys())),
        *(f"{status} is no status" for status in sorted(table.moves.keys() - statuses)),
        *(f"{status} cannot be reached" for status in sorted(table.moves.keys() - reached(table))),
        *(f"{status} has no tone" for status in sorted(statuses - toned)),
        *(f"{status} has a tone and is no status" for status in sorted(toned - statuses)),
    ]


def reached(table: Lifecycle) -> set[str]:
    """Return every status that a row can come to."""
    found: set[str] = set()
    todo = list(table.start)
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += table.moves.get(here, ())
    return found


@pytest.mark.parametrize("one", BOUND, ids=lambda one: one.model._meta.label)
def test_every_status_has_a_row_a_way_in_and_a_tone(one):
    statuses = {str(value) for value, _ in one.model._meta.get_field("status").choices}
    assert faults_of(one.lifecycle, statuses, tones.known(one.model._meta.label)) == []


@pytest.mark.parametrize(
    ("moves", "statuses", "toned", "fault"),
    [
        ({"a": ["b"]}, {"a", "b"}, {"a", "b"}, "b has no row"),
        ({"a": [], "b": []}, {"a"}, {"a"}, "b is no status"),
        ({"a": [], "b": ["a"]}, {"a", "b"}, {"a", "b"}, "b cannot be reached"),
        ({"a": ["b"], "b": []}, {"a", "b"}, {"a"}, "b has no tone"),
        ({"a": []}, {"a"}, {"a", "b"}, "b has a tone and is no status"),
    ],
)
def test_it_sees_a_planted_fault(moves, statuses, toned, fault):
    assert fault in faults_of(Lifecycle(moves), statuses, frozenset(toned))


def test_every_table_is_held_by_the_model_it_is_about():
    held = [one.lifecycle for one in BOUND]
    assert len(held) == len(lifecycles.tables()) > 5
    assert {id(table) for table in held} == {id(table) for table in lifecycles.tables()}


def test_a_model_with_a_status_to_choose_from_moves_by_a_table():
    chosen = {
        model
        for model in apps.get_models()
        for field in model._meta.fields
        if field.name == "status" and field.choices
    }
    assert chosen == {one.model for one in BOUND}


# The database's own copy


def arrows_in(definition: str) -> tuple[str, list[str]]:
    """Return the name and the arrows with which a trigger calls the function."""
    found = re.search(
        rf"EXECUTE FUNCTION (?:public\.)?{FUNCTION}\('(\w+)', '([^']*)'\)", definition
    )
    assert found, definition
    return found[1], found[2].split(" ")


def triggers(table: str) -> list[str]:
    """Return the definitions of the triggers that check the moves of a table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(tg.oid) FROM pg_trigger tg"
            " JOIN pg_proc fn ON fn.oid = tg.tgfoid"
            " WHERE tg.tgrelid = %s::regclass AND fn.proname = %s AND tg.tgenabled = 'O'",
            [table, FUNCTION],
        )
        return [definition for (definition,) in cursor.fetchall()]


def differences(one: lifecycles.Bound) -> list[str]:
    """Return how the database's copy of a table differs from ours."""
    found = triggers(one.model._meta.db_table)
    if len(found) != 1 or "BEFORE INSERT OR UPDATE OF status" not in found[0]:
        return [f"{one.constraint.name}: the database has {found}"]
    name, arrows = arrows_in(found[0])
    if (name, arrows) != (one.constraint.name, one.constraint.arrows):
        return [f"{name}: {sorted(set(arrows) ^ set(one.constraint.arrows))}"]
    return []


@pytest.mark.parametrize("one", BOUND, ids=lambda one: one.model._meta.label)
def test_the_database_holds_the_same_table(one):
    assert differences(one) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("planted", ["another table", "no table"])
def test_it_sees_a_planted_difference(planted):
    one = BOUND[0]
    name, table = one.constraint.name, one.model._meta.db_table
    (kept,) = triggers(table)
    with as_owner() as owner:
        owner.execute(f"DROP TRIGGER {name} ON {table}")
        if planted == "another table":
            owner.execute(kept.replace("active>closed ", ""))
    try:
        assert differences(one)
    finally:
        with as_owner() as owner:
            owner.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
            owner.execute(kept)
    assert differences(one) == []


def test_the_diagrams_of_the_readme_are_true():
    call_command("lifecycles", check=True)
