"""Statements of providers against our ledger: what differs is a break until it is explained."""

from datetime import UTC, timedelta
from decimal import Decimal

import pytest
import time_machine

from api.payments import breaks, statements
from api.payments.models import Balance, Deposit, ProviderBreak
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed, NotReady
from tests import factories
from tests.api.live.world import a_live_key, an_account, money_in, pay, tell, work


class Day:
    """A day with one deposit of 1,000 and one payout of 100, and the next day's comparison."""

    def __init__(self, api, provider):
        self.api, self.provider = api, provider
        self.grant, self.plain = a_live_key()
        self.account = an_account(api, self.plain, provider)
        money_in(api, provider, self.account, "1000.00", reference="BNK-IN")
        self.payout = pay(api, self.plain).json["id"]
        work()
        tell(api, provider, "instruction.completed", self.payout, {})
        work()
        self.day = clock.now().astimezone(UTC).date()

    def movements(self):
        return [
            {"object": None, "provider_reference": "BNK-IN", "amount": "1000.00"},
            {"object": self.payout, "provider_reference": "BNK-OUT", "amount": "-100.00"},
        ]

    def state(self, movements, *, day=None, opening="0.00", closing=None):
        """Let the provider have this statement."""
        moved = sum((Decimal(one["amount"]) for one in movements), Decimal(opening))
        day = str(day or self.day)
        at = {"at": f"{day}T12:00:00Z"}
        self.provider.statements["NGN", day] = {
            "business": self.grant.business.public_id,
            "currency": "NGN",
            "date": day,
            "opening": opening,
            "closing": closing or f"{moved:.2f}",
            "movements": [at | one for one in movements],
        }

    def compare(self, days=1):
        later = clock.now() + timedelta(days=days)
        with time_machine.travel(later, tick=True):
            statements.compare_all()

    @property
    def balance(self):
        return Balance.objects.get(business=self.grant.business, environment="live", currency="NGN")

    def kinds(self):
        return [(one.kind, one.object_id) for one in ProviderBreak.objects.filter(closed_at=None)]


@pytest.fixture
def day(api, provider):
    return Day(api, provider)


def test_a_statement_that_agrees_reconciles_the_balance(day):
    day.state(day.movements())
    day.compare()
    assert day.kinds() == []
    assert day.balance.last_reconciled_at is not None


def test_without_a_statement_nothing_is_reconciled(day):
    day.compare()
    assert day.kinds() == []
    assert day.balance.last_reconciled_at is None


def test_a_statement_that_does_not_add_up_proves_nothing(day):
    day.state(day.movements(), closing="5.00")
    day.compare()
    assert day.balance.last_reconciled_at is None
    assert day.kinds() == []


def test_every_kind_of_difference_is_found(day):
    deposit, _ = day.movements()
    extra = {"object": None, "provider_reference": "BNK-EXTRA", "amount": "5.00"}
    day.state([deposit | {"amount": "999.00"}, extra])
    day.compare()
    assert sorted(day.kinds()) == sorted(
        [
            ("other_amount", "BNK-IN"),
            ("missing_here", "BNK-EXTRA"),
            ("missing_there", day.payout),
        ]
    )
    assert day.balance.last_reconciled_at is None
    # Again finds the same and adds nothing.
    day.compare()
    assert len(day.kinds()) == 3


def test_another_opening_balance_is_a_difference(day):
    day.state(day.movements(), opening="7.00")
    day.compare()
    assert day.kinds() == [("other_balance", day.balance.public_id)]


def test_what_the_provider_moved_on_the_day_before_is_no_difference(day):
    deposit, payout = day.movements()
    day.state([deposit, payout], day=day.day - timedelta(days=1))
    day.state([], opening="900.00")
    day.compare()
    assert day.kinds() == []


def test_what_we_heard_of_after_midnight_is_no_difference(day):
    day.state(day.movements(), day=day.day - timedelta(days=1))
    day.compare(days=0)
    assert day.kinds() == []
    assert day.balance.last_reconciled_at is not None


def test_a_break_stops_payouts_and_a_later_statement_closes_it(api, day):
    deposit, payout = day.movements()
    day.state([deposit])
    day.compare()
    assert day.kinds() == [("missing_there", day.payout)]
    assert pay(api, day.plain).code == "PROVIDER_UNAVAILABLE"

    day.state([payout], day=day.day + timedelta(days=1), opening="1000.00")
    day.compare(days=2)
    assert day.kinds() == []
    assert pay(api, day.plain).status == 201


def test_a_person_closes_a_break_with_a_reason(api, day):
    day.state([*day.movements(), day.movements()[0] | {"provider_reference": "BNK-FEE"}])
    day.compare()
    (row,) = ProviderBreak.objects.all()
    operator = factories.one_of_staff(Role.OPERATOR)
    with pytest.raises(NotReady):
        breaks.close(row, reason=" ", by=operator)
    with pytest.raises(NotAllowed):
        breaks.close(row, reason="A fee of the bank.", by=factories.one_of_staff(Role.LEGAL))
    breaks.close(row, reason="A fee of the bank.", by=operator)
    assert day.kinds() == []
    assert Deposit.objects.count() == 1
