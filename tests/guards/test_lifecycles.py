"""Every status has moves, a way in and words, and the database holds the very same table."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from console.core import lifecycles, status_table
from console.core.lifecycle import Lifecycle
from console.core.moves import FUNCTION
from console.core.status_table import BusinessText, StaffText, StatusRow, StepPlace
from tests.databases import as_owner

BOUND = list(lifecycles.bound())


def faults_of(table: Lifecycle, statuses: set[str]) -> list[str]:
    """Return what is wrong between a table of moves and the statuses there are."""
    onward = {there for moves in table.moves.values() for there in moves}
    return [
        *(f"{status} has no row" for status in sorted((statuses | onward) - table.moves.keys())),
        *(f"{status} is no status" for status in sorted(table.moves.keys() - statuses)),
        *(f"{status} cannot be reached" for status in sorted(table.moves.keys() - reached(table))),
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
def test_every_status_has_moves_and_a_way_in(one):
    statuses = {str(value) for value, _ in one.model._meta.get_field("status").choices}
    assert faults_of(one.lifecycle, statuses) == []


@pytest.mark.parametrize("one", BOUND, ids=lambda one: one.model._meta.label)
def test_every_status_has_a_row_that_says_how_it_is_shown(one):
    rows = status_table.rows_of(one.model._meta.label)
    assert status_table.faults(one.lifecycle, rows) == []


@pytest.mark.parametrize(
    ("moves", "statuses", "fault"),
    [
        ({"a": ["b"]}, {"a", "b"}, "b has no row"),
        ({"a": [], "b": []}, {"a"}, "b is no status"),
        ({"a": [], "b": ["a"]}, {"a", "b"}, "b cannot be reached"),
    ],
)
def test_it_sees_a_planted_fault(moves, statuses, fault):
    assert fault in faults_of(Lifecycle(moves), statuses)


_SAID = (BusinessText("Done"), StaffText("Nobody"), StepPlace(0))
WHOLE = StatusRow("ok", *_SAID)
PINK: Any = "pink"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (None, "planted has no row"),
        (StatusRow("ok"), "planted has no words for the business"),
        (replace(WHOLE, staff=StaffText("")), "planted has no words for our staff"),
        (replace(WHOLE, step=StatusRow("ok").step), "planted has no place in the steps"),
        (StatusRow(PINK, *_SAID), "planted has a tone that does not exist: pink"),
    ],
)
def test_it_sees_a_planted_status_that_is_not_shown(row, fault):
    """A status more in the lifecycle of a pack, and what its table lacks of it."""
    pack = next(one for one in BOUND if one.model.__name__ == "Pack")
    lifecycle = Lifecycle({**pack.lifecycle.moves, "planted": []})
    rows = dict(status_table.rows_of("agreements.Pack")) | ({"planted": row} if row else {})

    found = status_table.faults(lifecycle, rows)
    assert fault in found
    assert len(found) == (3 if row == StatusRow("ok") else 1)
    with pytest.raises(ValueError, match=fault):
        status_table.register("planted.Pack", lifecycle, rows)


def test_it_sees_a_planted_row_without_a_status():
    rows = {"a": StatusRow("ok"), "planted": StatusRow("ok")}
    assert status_table.faults(Lifecycle({"a": []}), rows) == ["planted has a row and is no status"]


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
