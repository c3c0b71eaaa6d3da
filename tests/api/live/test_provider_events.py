"""Events of providers: signed, stored once, and about the provider's own objects only."""

import json
from datetime import timedelta

import pytest
import time_machine

from api.payments.models import Deposit, ProviderBreak, ProviderEvent
from apikeys.webhooks import webhook_secrets
from console.core import clock
from tests.api.live.world import (
    a_live_key,
    an_account,
    an_event,
    left,
    money_in,
    pay,
    send,
    tell,
    work,
)

DATA = {
    "amount": "5.00",
    "currency": "NGN",
    "provider_reference": "BNK-1",
    "payer_name": "Payer Ltd",
}


@pytest.fixture
def plain():
    return a_live_key()[1]


@pytest.fixture
def account(api, provider, plain):
    return an_account(api, plain, provider)


def test_money_counts_once_for_each_reference(api, provider, plain, account):
    first = money_in(api, provider, account, "5.00", reference="BNK-1")
    again = money_in(api, provider, account, "5.00", reference="BNK-1")
    assert (first.status, again.status) == (202, 202)
    assert left(api, plain) == ("5.00", "0.00")
    assert Deposit.objects.count() == 1
    assert not ProviderBreak.objects.exists()


def test_the_same_event_again_is_known_and_another_body_is_refused(api, provider, account):
    same = {"id": "evt_same", "sequence": 1, "occurred_at": clock.iso(clock.now())}
    one = [tell(api, provider, "deposit.received", account, DATA, **same) for _ in range(2)]
    assert [reply.status for reply in one] == [202, 200]
    other = tell(api, provider, "deposit.received", account, DATA | {"amount": "6.00"}, **same)
    assert other.status == 409
    work()
    assert [str(one.money.decimal()) for one in Deposit.objects.all()] == ["5.00"]


@pytest.mark.parametrize("wrong", ["secret", "request_secret", "old", "body", "unsigned"])
def test_forged_and_replayed_events_change_nothing(api, provider, account, wrong):
    more = {
        "secret": {"secret": webhook_secrets.make()},
        "request_secret": {"secret": provider.request_secret},
        "old": {},
        "body": {"headers": {"webhook-signature": "v1,AAAA"}},
        "unsigned": {"headers": {"webhook-signature": "", "webhook-timestamp": "²"}},
    }[wrong]
    sent = clock.now() - timedelta(seconds=301 if wrong == "old" else 0)
    with time_machine.travel(sent, tick=False):
        body, headers = an_event(provider, "deposit.received", account, DATA, **more)
    reply = send(api, body, headers)
    assert reply.status == 401
    work()
    assert not Deposit.objects.exists()
    assert not ProviderEvent.objects.exists()


def test_an_event_about_nothing_of_ours_is_kept_for_staff(api, provider, account):
    assert tell(api, provider, "deposit.received", "vac_unknown", DATA).status == 404
    assert ProviderEvent.objects.get().effect == "unknown_object"
    # No provider has this name.
    assert tell(api, provider, "deposit.received", account, DATA, name="other").status == 404


@pytest.mark.parametrize(
    "mistake",
    [
        {"type": "instruction.exploded"},
        {"sequence": -1},
        {"object": "a b"},
        {"data": {"amount": 5.0, "currency": "NGN", "provider_reference": "B"}},
        {"data": {"amount": "1e3", "currency": "NGN", "provider_reference": "B"}},
        {"data": {"amount": "٥", "currency": "NGN", "provider_reference": "B"}},
        {"data": {"amount": "5.00", "currency": "NGN", "provider_reference": ""}},
        {"occurred_at": "yesterday"},
        {"object": "vac_\u0000"},
    ],
    ids=json.dumps,
)
def test_what_cannot_be_read_is_named(api, provider, account, mistake):
    reply = tell(api, provider, "deposit.received", account, mistake.pop("data", DATA), **mistake)
    assert reply.status == 400, reply.body
    assert reply.json["error"]["message"]


@pytest.mark.parametrize(
    "data",
    [
        DATA | {"currency": "EUR"},
        DATA | {"currency": "XXX"},
        DATA | {"amount": "0.00"},
        DATA | {"amount": "-5.00"},
        DATA | {"amount": "5.001"},
        DATA | {"amount": "999999999999999.00", "provider_reference": "BIG"},
    ],
    ids=json.dumps,
)
def test_money_that_cannot_be_booked_is_a_break(api, provider, account, data):
    tell(api, provider, "deposit.received", account, data)
    work()
    booked = Deposit.objects.exists()
    assert booked or ProviderBreak.objects.get().kind == "not_booked"
    assert booked == (data["provider_reference"] == "BIG")


def test_a_reference_with_another_amount_is_a_break(api, provider, plain, account):
    money_in(api, provider, account, "5.00", reference="BNK-1")
    money_in(api, provider, account, "6.00", reference="BNK-1")
    assert left(api, plain) == ("5.00", "0.00")
    assert ProviderBreak.objects.get().kind == "not_booked"


def test_an_account_that_is_refused_has_failed(api, provider, plain):
    made = api.post(
        "/v1/virtual-accounts", plain, {"currency": "NGN"}, HTTP_IDEMPOTENCY_KEY="a1" * 8
    )
    work()
    tell(api, provider, "account.refused", made.json["id"], {"reason": "other"})
    work()
    shown = api.get(f"/v1/virtual-accounts/{made.json['id']}", plain).json
    assert shown["status"] == "failed"


def test_events_of_another_kind_of_object_have_no_effect(api, provider, plain, account):
    money_in(api, provider, account, "500.00")
    payout = pay(api, plain).json["id"]
    work()
    for type_, about, data in (
        ("account.issued", payout, {"account_number": "1", "bank_name": "B"}),
        ("deposit.received", payout, DATA),
        ("instruction.failed", account, {}),
    ):
        assert tell(api, provider, type_, about, data).status == 202
    work()
    assert set(ProviderEvent.objects.values_list("effect", flat=True)) == {"applied", "wrong_kind"}
    assert left(api, plain) == ("400.00", "100.00")
