"""Every status has moves, a way in and words, and the database enforces the same moves."""

import re

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from console.core import lifecycles, status_table
from console.core.lifecycle import Lifecycle
from console.core.moves_constraint import FUNCTION

BOUND = list(lifecycles.bound())


def faults_of(table: Lifecycle, statuses: set[str]) -> list[str]:
    """Return the differences between a table of moves and the model's statuses."""
    onward = {there for moves in table.moves.values() for there in moves}
    return [
        *(f"{status} has no row" for status in sorted((statuses | onward) - table.moves.keys())),
        *(f"{status} is no status" for status in sorted(table.moves.keys() - statuses)),
        *(f"{status} cannot be reached" for status in sorted(table.moves.keys() - reached(table))),
    ]


def reached(table: Lifecycle) -> set[str]:
    """Return every status that a row can reach."""
    found: set[str] = set()
    todo = list(table.start)
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += table.moves.get(here, ())
    return found


def test_every_status_has_moves_and_a_way_in():
    for one in BOUND:
        statuses = {str(value) for value, _ in one.model._meta.get_field("status").choices}
        assert faults_of(one.lifecycle, statuses) == [], one.model


def test_every_status_has_a_row_that_says_how_it_is_shown():
    for one in BOUND:
        rows = status_table.rows_of(one.model._meta.label)
        assert status_table.faults(one.lifecycle, rows) == [], one.model


def test_a_status_without_a_row_is_refused():
    with pytest.raises(ValueError, match="planted has no row"):
        status_table.register("planted.Pack", Lifecycle({"planted": []}), {})


def test_a_table_is_registered_once():
    rows = status_table.rows_of("agreements.Pack")
    lifecycle = next(one.lifecycle for one in BOUND if one.model.__name__ == "Pack")
    with pytest.raises(ValueError, match="registered twice"):
        status_table.register("agreements.Pack", lifecycle, rows)


def test_every_table_is_held_by_the_model_it_is_about():
    held = {id(one.lifecycle) for one in BOUND}  # some models share one
    assert len(held) > 5
    assert held == {id(table) for table in lifecycles.tables()}


def test_a_model_with_a_status_to_choose_from_moves_by_a_table():
    chosen = {
        model
        for model in apps.get_models()
        for field in model._meta.fields
        if field.name == "status" and field.choices
    }
    assert chosen == {one.model for one in BOUND}


# The database's copy


def arrows_in(definition: str) -> tuple[str, list[str]]:
    """Return the name and the arrows that a trigger passes to the function."""
    found = re.search(
        rf"EXECUTE FUNCTION (?:public\.)?{FUNCTION}\('(\w+)', '([^']*)'\)", definition
    )
    assert found, definition
    return found[1], found[2].split(" ")


def triggers(table: str) -> list[str]:
    """Return the definitions of the triggers that check a table's moves."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_triggerdef(tg.oid) FROM pg_trigger tg"
            " JOIN pg_proc fn ON fn.oid = tg.tgfoid"
            " WHERE tg.tgrelid = %s::regclass AND fn.proname = %s AND tg.tgenabled = 'O'",
            [table, FUNCTION],
        )
        return [definition for (definition,) in cursor.fetchall()]


def differences(one: lifecycles.Bound) -> list[str]:
    """Return how the database's trigger differs from the model's constraint."""
    found = triggers(one.model._meta.db_table)
    if len(found) != 1 or "BEFORE INSERT OR UPDATE OF status" not in found[0]:
        return [f"{one.constraint.name}: the database has {found}"]
    name, arrows = arrows_in(found[0])
    if (name, arrows) != (one.constraint.name, one.constraint.arrows):
        return [f"{name}: {sorted(set(arrows) ^ set(one.constraint.arrows))}"]
    return []


def test_the_database_holds_the_same_table():
    assert [found for one in BOUND for found in differences(one)] == []


def test_the_diagrams_of_the_readme_are_true():
    call_command("lifecycles", check=True)
