"""Payments of checkout sessions: late, unconfirmed, of another currency, reversed."""

import json
from datetime import timedelta

from django.core import mail

from api.payments import checkout_payments, checkout_sessions
from api.payments.models import Balance, CheckoutSession, Deposit
from apikeys.webhooks.models import PublicEvent
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.core import clock
from tests import factories
from tests.api import checkouts
from tests.api.asking import BY_NAME, Client, a_client
from tests.api.checking_out import (
    PATH,
    act,
    balance,
    events,
    kinds,
    opened,
    overdue,
    pay,
    read,
)


def test_late_money_is_accepted_or_returned_and_the_session_stays(client):
    session, before = opened(client), balance(client)
    kept, back = (
        pay(client, session, "100.00", fault="late").json["payment"]["id"] for _ in range(2)
    )

    said = act(client, f"{PATH}/{session['id']}/late-payments/{kept}/accept").json
    assert {one["id"]: one["status"] for one in said["payments"]} == {
        kept: "settled",
        back: "held",
    }
    said = act(client, f"{PATH}/{session['id']}/late-payments/{back}/return").json
    assert (said["status"], said["amount_late"]) == ("expired", "0.00")
    assert balance(client) == (before[0] + 10_000, before[1])
    settled = PublicEvent.objects.get(kind="deposit.settled")
    assert json.loads(bytes(settled.body))["data"]["late"] is True
    # Deciding again changes nothing; deciding otherwise is refused.
    again = act(client, f"{PATH}/{session['id']}/late-payments/{back}/return")
    otherwise = act(client, f"{PATH}/{session['id']}/late-payments/{back}/accept")
    assert (again.status, otherwise.status) == (200, 422)
    assert balance(client) == (before[0] + 10_000, before[1])


def test_money_that_counts_cannot_be_given_back(client):
    session = opened(client)
    part = pay(client, session, "100.00").json["payment"]["id"]

    for decision in ("accept", "return"):
        refused = act(client, f"{PATH}/{session['id']}/late-payments/{part}/{decision}")
        assert (refused.status, refused.json["reason"]) == (422, "payment_not_held")


def test_a_cancelled_session_holds_its_money(client):
    session, before = opened(client), balance(client)
    pay(client, session, "100.00")

    said = act(client, f"{PATH}/{session['id']}/cancel").json
    assert (said["status"], said["amount_late"]) == ("cancelled", "100.00")
    assert act(client, f"{PATH}/{session['id']}/cancel").json["status"] == "cancelled"
    assert kinds(session) == ["created", "pending", "cancelled"]
    assert balance(client) == (before[0], before[1] + 10_000)


def test_each_amount_counts_once_after_a_cancellation(client):
    session = opened(client, amount="25.00")
    pay(client, session, "4.00")
    said = act(client, f"{PATH}/{session['id']}/cancel").json
    assert (said["amount_paid"], said["amount_late"]) == (None, "4.00")
    assert [one["applied"] for one in said["payments"]] == [False]
    (held,) = said["payments"]
    for decision, left in (("accept", "0.00"),):
        act(client, f"{PATH}/{session['id']}/late-payments/{held['id']}/{decision}")
        said = read(client, session)
        assert (said["amount_paid"], said["amount_late"]) == (None, left)


def test_money_that_does_not_count_is_told_by_an_event(client):
    session = opened(client)
    late = pay(client, session, "20.00", fault="late").json["payment"]["id"]
    event = PublicEvent.objects.get(kind="deposit.held")
    data = json.loads(bytes(event.body))["data"]
    assert (data["id"], data["status"], data["reason"]) == (late, "held", "late")
    assert (data["amount_minor"], data["settled_at"]) == (2_000, None)
    assert data["checkout_session_id"] == session["id"]

    act(client, f"{PATH}/{session['id']}/late-payments/{late}/return")
    assert PublicEvent.objects.filter(kind="deposit.returned", resource_id=late).count() == 1
    part = opened(client)
    pay(client, part, "20.00", fault="reversed")
    assert PublicEvent.objects.filter(kind="deposit.reversed").count() == 1


def test_money_that_does_not_count_is_told_by_one_email(client):
    session = opened(client)
    pay(client, session, "3.00")
    pay(client, session, "4.00")
    mail.outbox.clear()
    act(client, f"{PATH}/{session['id']}/cancel")
    factories.settle()

    (letter,) = mail.outbox
    assert letter.to == [factories.owner_of(Business.objects.get()).email]
    assert "3.00 NGN" in letter.body
    assert "4.00 NGN" in letter.body
    assert f"/checkout-sessions/{session['id']}/" in letter.body


def test_a_payment_counts_when_it_is_confirmed_in_time(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    said = pay(client, session, "10", confirmations=2).json
    assert (said["payment"]["reason"], said["session"]["amount_paid"]) == ("confirming", None)
    assert kinds(session) == ["created", "pending"]
    assert events(session)[-1]["data"]["paid_amount_minor"] == 10_000_000

    past = clock.now() - timedelta(seconds=30)
    Deposit.objects.update(confirms_at=past)
    # Both are due now, and the confirmation came first.
    CheckoutSession.objects.update(expires_at=past + timedelta(seconds=10))
    assert read(client, session)["status"] == "paid"
    assert kinds(session) == ["created", "pending", "paid"]


def test_a_confirmation_after_the_end_is_late_money(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    pay(client, session, "10", confirmations=2)
    past = clock.now() - timedelta(seconds=30)
    Deposit.objects.update(confirms_at=past)
    CheckoutSession.objects.update(expires_at=past - timedelta(seconds=10))

    checkout_sessions.settle_due()
    said = read(client, session)
    assert (said["status"], said["payments"][0]["reason"]) == ("expired", "late")


def test_another_currency_is_never_applied(client):
    session, before = opened(client), balance(client, "USD")

    said = pay(client, session, "1500.00", fault="wrong_currency").json
    assert (said["payment"]["currency"], said["payment"]["reason"]) == ("USD", "wrong_currency")
    assert said["session"]["amount_paid"] is None
    assert kinds(session) == ["created"]
    accepted = act(client, f"{PATH}/{session['id']}/late-payments/{said['payment']['id']}/accept")
    assert accepted.status == 200
    assert balance(client, "USD") == (before[0] + 150_000, before[1])


def test_a_reversed_payment_no_longer_counts(client):
    session, before = opened(client), balance(client)

    said = pay(client, session, "500.00", fault="reversed").json
    assert (said["payment"]["status"], said["session"]["amount_paid"]) == ("reversed", None)
    assert balance(client) == before
    said = pay(client, session, "1500.00", fault="reversed").json
    assert (said["session"]["status"], said["session"]["amount_paid"]) == ("paid", "1500.00")
    assert balance(client) == before


def test_payments_are_listed_as_they_were_seen(client):
    session = opened(client)
    pay(client, session, "1.00")
    said = pay(client, session, "2.00", fault="out_of_order").json["session"]
    assert [one["amount"] for one in said["payments"]] == ["2.00", "1.00"]


def test_more_parts_than_allowed_are_held(client, monkeypatch):
    monkeypatch.setattr(checkout_payments, "MOST_PARTS", 2)
    session = opened(client)

    said = [pay(client, session, "1.00").json["payment"]["reason"] for _ in range(3)]
    assert said == [None, None, "too_many_parts"]


def test_money_for_a_suspended_business_is_held(client):
    session = opened(client)
    factories.change(Business.objects.all(), status=Access.SUSPENDED)
    row = CheckoutSession.objects.select_related("business").get(public_id=session["id"])

    booked = checkouts.pays(row, 150_000)
    assert (booked.not_applied, booked.status) == ("suspended", "held")
    row.refresh_from_db()
    assert row.status == "awaiting_payment"


def test_a_balance_that_is_stopped_holds_up_no_other_business(client, api):
    sessions = [opened(one) for one in (client, Client(api, a_client()))]
    for session in sessions:
        row = CheckoutSession.objects.select_related("business").get(public_id=session["id"])
        checkouts.pays(row, 100)
        overdue(session)
    first = CheckoutSession.objects.get(public_id=sessions[0]["id"])
    stopped = Balance.objects.filter(business=first.business_id, currency="NGN")
    factories.change(stopped, stopped_at=clock.now())

    def statuses() -> list[str]:
        checkout_sessions.settle_due()
        return list(CheckoutSession.objects.order_by("pk").values_list("status", flat=True))

    assert statuses() == ["awaiting_payment", "underpaid"]
    factories.change(stopped, stopped_at=None)
    assert statuses() == ["underpaid", "underpaid"]


def test_the_payment_that_settles_is_told_as_settled(client):
    said = pay(client, opened(client), "1500.00").json
    assert said["payment"]["status"] == "settled"
    assert said["session"]["payments"] == [said["payment"]]


def test_a_confirmation_while_the_business_is_suspended_is_held(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    pay(client, session, "10", confirmations=1)
    Deposit.objects.update(confirms_at=clock.now() - timedelta(seconds=1))
    factories.change(Business.objects.all(), status=Access.SUSPENDED)

    checkout_sessions.settle_due()
    payment = Deposit.objects.get()
    assert (payment.not_applied, payment.status) == ("suspended", "held")
    assert kinds(session) == ["created", "pending"]


def test_what_was_refunded_cannot_be_reversed(client):
    session = opened(client)
    pay(client, session, "1500.00", provider_reference="PRV-7")
    body = {"payment_reference": "PRV-7", "amount": "1500.00"}
    assert client.ask(BY_NAME["refunds.create"], "/refunds", body).status == 201
    before = balance(client)

    refused = pay(client, session, "1500.00", provider_reference="PRV-7", fault="reversed")
    assert (refused.status, refused.json["reason"]) == (422, "payment_refunded")
    assert balance(client) == before


def test_what_was_spent_cannot_be_reversed(client):
    session = opened(client)
    pay(client, session, "1500.00", provider_reference="PRV-9")
    row = BY_NAME["payouts.create"]
    spent = client.ask(row, "/payouts", client.body_of(row) | {"amount": "1001500.00"})
    assert spent.status == 201, spent.json

    refused = pay(client, session, "1500.00", provider_reference="PRV-9", fault="reversed")
    assert (refused.status, refused.code) == (422, "INSUFFICIENT_BALANCE")


def test_a_payment_is_reversed_only_in_its_own_session(client):
    first, second = opened(client), opened(client)
    pay(client, first, "1500.00", provider_reference="PRV-8")

    said = pay(client, second, "1.00", provider_reference="PRV-8", fault="reversed").json
    assert (said["payment"]["status"], said["session"]["payments"]) == ("settled", [])


def test_money_is_not_accepted_before_it_is_confirmed(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    wrong = pay(client, session, "10", fault="wrong_currency", confirmations=12).json["payment"]

    refused = act(client, f"{PATH}/{session['id']}/late-payments/{wrong['id']}/accept")
    assert (refused.status, refused.json["reason"]) == (422, "payment_not_held")


def test_a_part_that_is_confirmed_is_not_told_as_another_payment(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    pay(client, session, "8", fault="wrong_currency", confirmations=1)
    pay(client, session, "3", confirmations=1)
    assert events(session)[-1]["data"]["paid_amount_minor"] == 3_000_000
    Deposit.objects.update(confirms_at=clock.now() - timedelta(seconds=1))

    assert read(client, session)["amount_paid"] == "3.000000"
    assert kinds(session) == ["created", "pending"]
    pay(client, session, "3")
    assert kinds(session) == ["created", "pending", "partially_paid"]


def test_a_reference_of_a_session_is_refused_on_an_account(client):
    pay(client, opened(client), "1.00", provider_reference="PRV-9")
    own = client.ask(BY_NAME["virtual_accounts.create"], "/virtual-accounts", {"currency": "NGN"})
    client.do("virtual_accounts.issue", own.json["id"])

    body = {"amount": "1.00", "provider_reference": "PRV-9"}
    refused = client.do("virtual_accounts.deposit", own.json["id"], body)
    assert (refused.status, refused.json["reason"]) == (422, "reference_in_use")


def test_further_payments_are_seen_before_they_are_confirmed(client):
    session = opened(client, method="crypto", currency="USDT", amount="10")
    for amount in ("4", "6"):
        assert pay(client, session, amount, confirmations=2).status == 201
    ended = opened(client, method="crypto", currency="USDT", amount="10")
    act(client, f"/test-helpers{PATH}/{ended['id']}/expire")
    assert pay(client, ended, "10", confirmations=2).status == 201

    assert kinds(session) == ["created", "pending"]
    Deposit.objects.update(confirms_at=clock.now() - timedelta(seconds=1))
    assert read(client, session)["status"] == "paid"
    assert read(client, ended)["amount_late"] == "10.000000"
