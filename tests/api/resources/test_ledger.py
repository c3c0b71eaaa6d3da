"""The ledger: balances are the sums of entries, with concurrent writers and interruptions."""

from datetime import timedelta

import pytest
import time_machine
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client as Browser
from django.urls import reverse

from api.payments import ledger, reconciliation
from api.payments.ledger import BalanceFull, BalanceStopped
from api.payments.models import Account, Balance, EntryType, LedgerEntry
from api.providers.interface import InsufficientBalance, NoProvider
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import log as audit
from console.audit.models import Entry
from console.core import clock
from console.core.money import Money
from tests import factories
from tests.api.paying import a_payer, body_of, pay
from tests.apikeys import world
from tests.databases import as_owner, go_past_triggers
from tests.waiting import at_once

TRANSACTIONS = "/sandbox/v1/transactions"
OPENING = 100_000_000


@pytest.fixture
def held():
    """The naira balance of a new sandbox."""
    grant = world.a_grant()
    return Balance.objects.select_related("business").get(business=grant.business, currency="NGN")


def post(held, minor, leaves, enters, currency="NGN"):
    money, route = Money(minor, currency), (leaves, enters)
    with transaction.atomic():
        ledger.post(held.business, held.environment, money, route, EntryType.PAYOUT, "pay")
        audit.record("test.moved", held.business, by=SYSTEM, business=held.business)


def sums(held):
    held.refresh_from_db()
    return held.available, held.pending, held.reserved


def test_entries_are_dated_in_the_order_of_their_totals(held):
    def pay_out(_):
        with transaction.atomic():
            post(held, 100, Account.AVAILABLE, Account.RESERVED)
            post(held, 100, Account.RESERVED, Account.EXTERNAL)

    at_once(8, pay_out)

    dated = held.entries.order_by("created_at", "pk").values_list("total_after", flat=True)
    assert list(dated) == list(held.entries.order_by("pk").values_list("total_after", flat=True))


# API responses -----------------------------------------------------------------------------------


def test_every_movement_of_a_payout_is_told(api):
    plain = a_payer()
    payout = pay(api, plain, "ledger-0001").json["id"]

    settled, reserved, opening = api.get(TRANSACTIONS, plain, "currency=NGN").json["data"]

    assert opening | {"id": "", "created_at": ""} == {
        "id": "",
        "object": "transaction",
        "type": "opening",
        "amount": "1000000.00",
        "currency": "NGN",
        "direction": "credit",
        "from_account": "external",
        "to_account": "available",
        "balance_after": "1000000.00",
        "source": None,
        "created_at": "",
    }
    said = [(one["direction"], one["balance_after"], one["source"]) for one in (reserved, settled)]
    assert said == [("internal", "1000000.00", payout), ("debit", "998750.00", payout)]
    read = api.get(f"{TRANSACTIONS}/{settled['id']}", plain).json
    assert read | {"request_id": ""} == settled | {"request_id": ""}


def test_what_comes_back_is_told_too(api):
    plain = a_payer()
    pay(api, plain, "ledger-0001", body_of("10.44"))

    found = api.get(TRANSACTIONS, plain, "currency=NGN&limit=2").json["data"]

    routes = [(one["from_account"], one["to_account"]) for one in found]
    assert routes == [("reserved", "available"), ("available", "reserved")]


# What moves a balance ----------------------------------------------------------------------------


def test_an_entry_moves_the_balance_and_a_refusal_moves_nothing(held):
    post(held, 300, Account.AVAILABLE, Account.PENDING)
    with transaction.atomic():
        with pytest.raises(InsufficientBalance):
            post(held, 301, Account.PENDING, Account.EXTERNAL)
        # The transaction continues.
        post(held, 300, Account.PENDING, Account.RESERVED)

    assert sums(held) == (OPENING - 300, 0, 300)


def test_what_has_no_room_and_what_is_not_held_is_refused(held):
    with pytest.raises(BalanceFull):
        post(held, 2**63 - 1, Account.EXTERNAL, Account.PENDING)
    with pytest.raises(NoProvider):
        post(held, 1, Account.EXTERNAL, Account.AVAILABLE, "cNGN")
    with pytest.raises(InsufficientBalance):
        post(held, 1, Account.AVAILABLE, Account.RESERVED, "cNGN")

    assert sums(held) == (OPENING, 0, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sandbox_balance SET available = available + 1",
        "UPDATE sandbox_balance SET reserved = 0",
        "UPDATE sandbox_ledgerentry SET amount = 1",
        "DELETE FROM sandbox_ledgerentry",
        "INSERT INTO sandbox_balance (public_id, business_id, environment, currency, available,"
        " pending, reserved, created_at) SELECT 'bal_x', business_id, 'live', 'NGN', 5, 0, 0, now()"
        " FROM sandbox_balance LIMIT 1",
    ],
)
def test_the_site_cannot_move_a_balance_otherwise(held, statement):
    with pytest.raises(
        DatabaseError, match=r"only ledger entries move|rows never change|permission"
    ):
        connection.cursor().execute(statement)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"amount": 0}, "an_entry_moves_something"),
        ({"to_account": "available"}, "an_entry_moves_something"),
        ({"to_account": "elsewhere"}, "an_entry_names_known_accounts"),
        ({"amount": OPENING + 1}, "a_balance_is_never_negative"),
        ({"environment": "live"}, "a balance of its own"),
        ({"currency": "USD"}, "a balance of its own"),
    ],
)
def test_the_database_refuses_an_entry_that_is_not_balanced(held, change, said):
    entry = LedgerEntry(
        balance=held,
        business=held.business,
        environment="sandbox",
        type=EntryType.PAYOUT,
        amount=1,
        currency="NGN",
        from_account=Account.AVAILABLE,
        to_account=Account.EXTERNAL,
        created_at=clock.now(),
    )
    for name, value in change.items():
        setattr(entry, name, value)

    with pytest.raises(IntegrityError, match=said):
        entry.save()


# Reconciliation ----------------------------------------------------------------------------------


def falsify(column="available"):
    """Change every naira balance past the triggers, as only the database owner can."""
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute(f"UPDATE sandbox_balance SET {column} = {column} + 1 WHERE currency = 'NGN'")


def test_a_balance_is_reconciled_once_it_was_proven_right(api, held):
    _, plain = world.a_key(Grant.objects.get(business=held.business))
    shown = api.get("/sandbox/v1/balances", plain, "currency=NGN")
    assert shown.json["data"][0]["last_reconciled_at"] is None

    reconciliation.reconcile(by=SYSTEM)

    shown = api.get("/sandbox/v1/balances", plain, "currency=NGN")
    assert shown.json["data"][0]["last_reconciled_at"] is not None
    assert reconciliation.concerns() == []


@pytest.mark.parametrize("column", ["available", "pending", "reserved"])
def test_a_mismatch_is_shown_and_stops_that_balance_until_it_is_right(held, column):
    falsify(column)

    reconciliation.reconcile(by=SYSTEM)
    reconciliation.reconcile(by=SYSTEM)

    held.refresh_from_db()
    assert held.last_reconciled_at is None
    with pytest.raises(BalanceStopped):
        post(held, 1, Account.AVAILABLE, Account.EXTERNAL)
    operator = factories.signed_in(Browser(), factories.one_of_staff(Role.OPERATOR))
    assert f"NGN balance {held.public_id}" in operator.get(reverse("governance:work")).text
    # Other balances of the business still work.
    post(held, 1, Account.AVAILABLE, Account.EXTERNAL, "USD")
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute(f"UPDATE sandbox_balance SET {column} = {column} - 1 WHERE currency = 'NGN'")
    reconciliation.reconcile(by=SYSTEM)
    post(held, 1, Account.AVAILABLE, Account.EXTERNAL)
    codes = Entry.objects.filter(subject_id=held.public_id).order_by("pk")
    assert [entry.code for entry in codes] == ["balance.stopped", "balance.released"]


def test_an_entry_that_was_changed_or_removed_is_a_mismatch(held):
    post(held, 7, Account.AVAILABLE, Account.EXTERNAL)
    post(held, 9, Account.AVAILABLE, Account.EXTERNAL)
    with as_owner() as owner:
        go_past_triggers(owner)
        owner.execute("UPDATE sandbox_ledgerentry SET amount = 16 - amount WHERE source = 'pay'")

    reconciliation.reconcile(by=SYSTEM)

    held.refresh_from_db()
    assert held.stopped_at is not None


def test_a_day_later_it_is_proven_again(held):
    reconciliation.reconcile(by=SYSTEM)
    held.refresh_from_db()
    first = held.last_reconciled_at
    with time_machine.travel(clock.now() + timedelta(days=1)):
        reconciliation.reconcile(by=SYSTEM)

    held.refresh_from_db()
    assert held.last_reconciled_at > first
