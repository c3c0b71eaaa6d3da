"""Live money out: reserved at once, instructed by a worker, ended by the provider, once."""

from datetime import timedelta

import pytest
import time_machine

from api.payments import instructions, screenings
from api.payments.models import ProviderBreak, ProviderInstruction, VirtualAccount
from console.accounts.roles import Role
from console.core import clock
from tests import factories
from tests.api.live import scripted
from tests.api.live.scripted import DROP
from tests.api.live.world import (
    a_live_key,
    an_account,
    left,
    money_in,
    pay,
    post_account,
    read,
    tell,
    work,
)

ANOTHERS = {"id": "pay_another", "status": "completed"}
SILENCE = [
    *((status, {}) for status in (302, 401, 403, 429, 500)),
    *(DROP, (200, b"<html>"), (200, {"id": "x"}), (200, ANOTHERS)),
]


@pytest.fixture
def plain(api, provider):
    _, plain = a_live_key()
    account = an_account(api, plain, provider)
    money_in(api, provider, account, "1000.00")
    assert left(api, plain) == ("1000.00", "0.00")
    provider.seen.clear()
    return plain


def instruction_of(payout: str) -> ProviderInstruction:
    return ProviderInstruction.objects.get(public_id=payout)


def test_a_live_payout_is_pending_until_its_provider_completes_it(api, provider, plain):
    reply = pay(api, plain, reference="INV-7")

    assert (reply.status, reply.json["status"]) == (201, "pending")
    payout = reply.json["id"]
    assert left(api, plain) == ("900.00", "100.00")
    assert not provider.seen, "the provider was called inside the request"
    work()
    ((method, path, body),) = provider.seen
    assert (method, path) == ("PUT", f"/instructions/{payout}")
    assert body["kind"] == "payout"
    assert (body["amount"], body["currency"], body["reference"]) == ("100.00", "NGN", "INV-7")
    assert body["details"]["bank_account"]["account_number"] == "0123456784"
    assert read(api, plain, payout)["status"] == "pending"

    told = tell(api, provider, "instruction.completed", payout, {"provider_reference": "BNK-9"})
    work()
    assert told.status == 202
    assert read(api, plain, payout)["status"] == "completed"
    assert left(api, plain) == ("900.00", "0.00")
    assert instruction_of(payout).provider_reference == "BNK-9"


def test_a_failed_payout_returns_its_money(api, provider, plain):
    payout = pay(api, plain).json["id"]
    provider.answers.append((200, {"id": payout, "status": "failed", "reason": "account_closed"}))
    work()
    shown = read(api, plain, payout)
    assert (shown["status"], shown["failure_reason"]) == ("failed", "rejected_by_bank")
    assert left(api, plain) == ("1000.00", "0.00")
    assert instruction_of(payout).reason == "account_closed"


@pytest.mark.parametrize("silence", SILENCE, ids=str)
def test_after_silence_we_ask_where_it_is_before_sending_again(api, provider, plain, silence):
    payout = pay(api, plain).json["id"]
    provider.answers.append(silence)
    work()
    assert instruction_of(payout).problem
    assert read(api, plain, payout)["status"] == "pending"

    provider.answers.append((200, {"id": payout, "status": "completed"}))
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=True):
        instructions.ask_due()
        work()
    assert [method for method, *_ in provider.seen] == ["PUT", "GET"]
    assert read(api, plain, payout)["status"] == "completed"


def test_an_instruction_that_did_not_arrive_is_sent_again_as_it_was(api, provider, plain):
    payout = pay(api, plain).json["id"]
    with scripted.without():
        work()
    assert not provider.seen
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=True):
        instructions.ask_due()
        work()
    assert [method for method, *_ in provider.seen] == ["GET", "PUT"]
    assert instruction_of(payout).status == "accepted"


def test_staff_decide_after_a_day_of_silence(api, provider, plain):
    payout = pay(api, plain).json["id"]
    began = clock.now()
    for _ in range(40):
        provider.answers.extend([(503, {})] * 2)
        with time_machine.travel(instruction_of(payout).ask_at or began, tick=True):
            instructions.ask_due()
            work()
            ended = clock.now()
        if instruction_of(payout).status == "stuck":
            break
    assert timedelta(hours=20) < ended - began < timedelta(hours=28)
    assert read(api, plain, payout)["status"] == "pending"
    assert left(api, plain) == ("900.00", "100.00")

    provider.answers.clear()
    instructions.ask_again(instruction_of(payout), by=factories.one_of_staff(Role.OPERATOR))
    work()
    assert instruction_of(payout).status == "accepted"


def test_a_refused_request_is_left_to_staff_and_not_sent_again(api, provider, plain):
    payout = pay(api, plain).json["id"]
    provider.answers.append((409, {"error": {"code": "conflict", "message": "Another body."}}))
    work()
    stuck = instruction_of(payout)
    assert (stuck.status, stuck.ask_at) == ("stuck", None)
    assert "Another body." in stuck.problem


def test_a_late_contradiction_is_a_break_and_changes_nothing(api, provider, plain):
    payout = pay(api, plain).json["id"]
    work()
    tell(api, provider, "instruction.completed", payout, {})
    tell(api, provider, "instruction.failed", payout, {"reason": "rejected_by_bank"})
    tell(api, provider, "instruction.completed", payout, {})
    work()
    assert read(api, plain, payout)["status"] == "completed"
    assert left(api, plain) == ("900.00", "0.00")
    (found,) = ProviderBreak.objects.all()
    assert (found.kind, found.object_id) == ("contradiction", payout)
    # An open break stops money out in its currency.
    refused = pay(api, plain)
    assert (refused.status, refused.code) == (503, "PROVIDER_UNAVAILABLE")


def test_without_a_provider_live_answers_as_before(api, plain):
    with scripted.without():
        reply = pay(api, plain)
    assert (reply.status, reply.code) == (422, "NO_PROVIDER_ENABLED")
    assert left(api, plain) == ("1000.00", "0.00")


def test_more_than_the_balance_is_refused_and_nothing_is_instructed(api, provider, plain):
    reply = pay(api, plain, "1000.01")
    assert reply.code == "INSUFFICIENT_BALANCE"
    work()
    assert not provider.seen


def test_a_payroll_run_is_instructed_on_its_day(api, provider, plain):
    day = (clock.now() + timedelta(days=2)).date()
    item = {
        "amount": "10.00",
        "bank_account": {
            "account_name": "Ada Obi",
            "country": "NG",
            "account_number": "0123456784",
            "bank_code": "044",
        },
    }
    body = {"currency": "NGN", "pay_date": day.isoformat(), "items": [item, item]}
    reply = api.post("/v1/payroll/runs", plain, body, HTTP_IDEMPOTENCY_KEY="payroll-00001")
    assert reply.status == 201, reply.body
    instructions.ask_due()
    work()
    assert not provider.seen
    with time_machine.travel(clock.now() + timedelta(days=2), tick=True):
        screenings.ask_due()
        work()
    assert provider.sent("PUT") == [f"/instructions/{reply.json['id']}"]


def test_an_accepted_instruction_is_asked_about_later(api, provider, plain):
    payout = pay(api, plain).json["id"]
    work()
    provider.answers.append((200, {"id": payout, "status": "completed"}))
    with time_machine.travel(clock.now() + timedelta(minutes=10), tick=True):
        instructions.ask_due()
        work()
    assert read(api, plain, payout)["status"] == "completed"


def test_a_number_that_another_account_has_is_left_to_staff(api, provider, plain):
    taken = VirtualAccount.objects.get().account_number
    account = post_account(api, plain)
    numbers = {"account_number": taken, "bank_name": "Test Bank"}
    provider.answers.append((200, {"id": account, "status": "issued"} | numbers))
    work()
    tell(api, provider, "account.issued", account, numbers)
    work()
    assert instruction_of(account).status == "stuck"
    assert VirtualAccount.objects.get(public_id=account).status == "pending"
