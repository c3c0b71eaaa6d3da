"""A lifecycle: one table, enforced in Python and by the database."""

import pytest
from django.db import IntegrityError, connection, transaction

from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.core.lifecycle import Lifecycle
from console.core.refusals import WrongStatus
from tests import factories

DOOR = Lifecycle({"open": ["shut"], "shut": ["open", "locked"], "locked": []})


def test_it_allows_what_the_table_names():
    DOOR.check("open", "shut")
    with pytest.raises(WrongStatus, match="“open”, so it cannot become “locked”"):
        DOOR.check("open", "locked")
    with pytest.raises(WrongStatus, match="already “open”"):
        DOOR.check("open", "open")


def test_a_final_status_maps_to_nothing():
    assert DOOR.final == {"locked"}


def test_it_is_written_as_arrows_and_as_a_diagram():
    assert DOOR.arrows() == [">open", "open>shut", "shut>locked", "shut>open"]
    assert "    shut --> locked" in DOOR.diagram()


def test_the_database_refuses_a_move_that_the_table_does_not_name():
    business = factories.a_business()
    rows = Business.objects.filter(pk=business.pk)
    factories.change(rows, status=Access.CLOSED)

    with (
        pytest.raises(IntegrityError, match="business_moves_by_the_table does not allow closed"),
        transaction.atomic(),
    ):
        rows.update(status=Access.ACTIVE)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE accounts_business SET status = 'active' WHERE id = %s", [business.pk]
        )


def test_the_database_refuses_a_row_that_does_not_begin_at_the_start():
    with pytest.raises(IntegrityError, match="business_moves_by_the_table"), transaction.atomic():
        Business.objects.create(name="Born closed", status=Access.CLOSED)


def test_a_move_to_itself_is_no_move():
    business = factories.a_business()
    assert Business.objects.filter(pk=business.pk).update(status=Access.ACTIVE) == 1
