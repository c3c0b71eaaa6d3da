"""Payroll runs: everyone is paid on the day, or nobody is."""

from datetime import timedelta

import pytest
import time_machine

from api.payments.disbursements import PAYROLL_RUNS
from api.payments.models import PayrollRun
from console.core import clock
from tests.api.asking import EXAMPLES, ROWS, faults
from tests.api.paying import ACCOUNT, left

PATH = "/payroll/runs"
CREATE = ROWS["POST", PATH]
EXAMPLE = EXAMPLES["payroll_runs.create"]


def items(*amounts, **more):
    return [{"amount": one, "bank_account": ACCOUNT} | more for one in amounts]


def run(client, *amounts, **more):
    paid = {"items": items(*amounts)} if amounts else {}
    return client.ask(CREATE, PATH, EXAMPLE | {"pay_date": day(0)} | paid | more)


def day(ahead):
    """Return a date by its distance from today, in UTC."""
    return (clock.now() + timedelta(days=ahead)).date().isoformat()


def held(client):
    return left(client.api, client.plain)


def test_a_run_is_paid_in_one_posting(client):
    reply = run(client)

    assert reply.status == 201, reply.body
    made = reply.json
    sent = EXAMPLE | {"pay_date": day(0)}
    assert {name: made[name] for name in sent} == sent
    assert (made["status"], made["amount"], made["fee"]) == ("completed", "330000.00", "0.00")
    assert held(client) == ("670000.00", "0.00")
    told = client.read("/transactions", "currency=NGN")["data"]
    assert [one["type"] for one in told] == ["payroll", "payroll", "opening"]


def test_a_run_waits_for_its_day_with_the_money_reserved(client):
    now = clock.now()
    day = (now + timedelta(days=3)).date()
    made = run(client, "10.00", "20.00", pay_date=day.isoformat()).json
    assert (made["status"], made["completed_at"]) == ("pending", None)
    assert held(client) == ("999970.00", "30.00")

    with time_machine.travel(now + timedelta(days=2), tick=False):
        PAYROLL_RUNS.settle_due()
    assert PayrollRun.objects.get().status == "pending"
    with time_machine.travel(now + timedelta(days=4), tick=False):
        PAYROLL_RUNS.settle_due()
    assert PayrollRun.objects.get().status == "completed"
    assert held(client) == ("999970.00", "0.00")


def test_a_run_that_is_refused_pays_nobody(client):
    for amounts, code in [
        (("10.40", "0.01"), "INSUFFICIENT_BALANCE"),
        (("900000.00", "100000.01"), "INSUFFICIENT_BALANCE"),
        (("1.00", "5000000.01"), "NO_PROVIDER_ENABLED"),
    ]:
        assert run(client, *amounts).code == code
        assert held(client) == ("1000000.00", "0.00")
        assert not PayrollRun.objects.exists()


@pytest.mark.parametrize("ahead", [0, 3])
def test_a_run_that_fails_is_given_back_whole(client, ahead):
    day = (clock.now() + timedelta(days=ahead)).date()
    made = run(client, "10.00", "10.44", pay_date=day.isoformat()).json

    assert (made["status"], made["failure"]["code"]) == ("failed", "rejected_by_bank")
    assert held(client) == ("1000000.00", "0.00")


def test_a_mistake_is_named(client):
    for change, pointer, code in [
        ({"items": []}, "/items", "too_short"),
        ({"items": items(*["1.00"] * 501)}, "/items", "too_long"),
        ({"items": {}}, "/items", "wrong_type"),
        ({"items": [*items("1.00"), None]}, "/items/1", "is_null"),
        ({"items": [None]}, "/items/0", "is_null"),
        ({"items": [*items("1.00"), "Ada"]}, "/items/1", "wrong_type"),
        ({"items": items("1.00", "1.001")}, "/items/1/amount", "wrong_shape"),
        ({"items": items("0.00", "1.00")}, "/items/0/amount", "out_of_range"),
        ({"items": items("1.00", more="x")}, "/items/0/more", "unknown_member"),
        ({"items": items("1.00", bank_account={})}, "/items/0/bank_account/country", "missing"),
        ({"items": items(*["90000000000000000.00"] * 2)}, "/items", "out_of_range"),
        ({"pay_date": "2026-02-30"}, "/pay_date", "wrong_shape"),
        ({"pay_date": "9999-01-01"}, "/pay_date", "out_of_range"),
        ({"pay_date": day(-1)}, "/pay_date", "out_of_range"),
        ({"pay_date": "0001-01-01"}, "/pay_date", "out_of_range"),
        ({"currency": "XYZ"}, "/currency", "unknown_value"),
    ]:
        assert (pointer, code) in faults(run(client, **change))
        assert not PayrollRun.objects.exists()
