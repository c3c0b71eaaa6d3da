"""Checkout sessions: the table of section 3, their events, and money that is late."""

from datetime import timedelta
from typing import Any

import pytest

from api.payments.models import CheckoutSession, VirtualAccount
from apikeys.webhooks.models import PublicEvent
from console.accounts.models import Business
from console.core import clock
from tests.api.asking import Client, a_client, pointed
from tests.api.checking_out import (
    BODY,
    CREATE,
    HELPERS,
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


def test_it_has_every_field_of_the_specification(client):
    said = opened(client, reference="ORD-1", description="Beans", customer={"name": "Ada Obi"})

    row = CheckoutSession.objects.get()
    assert len(row.public_id) == len("cs_") + 26
    assert said["checkout_url"].endswith(f"/checkout/{row.public_id}")
    assert (said["status"], said["amount_paid"]) == ("awaiting_payment", None)
    assert said["amount_outstanding"] == "1500.00"
    assert said["customer"] == {"name": "Ada Obi", "email": None, "phone": None}
    assert said["expires_at"] == clock.iso(row.created_at + timedelta(hours=1))
    assert set(said["instructions"]) == {
        "account_number", "account_name", "bank_name", "amount", "currency", "expires_at",
    }  # fmt: skip
    assert said["instructions"]["account_name"] == Business.objects.get().name
    assert kinds(said) == ["created"]


def test_its_account_exists_only_on_the_session(client):
    session = opened(client)

    account = VirtualAccount.objects.get()
    assert (account.account_type, account.status) == ("temporary", "active")
    assert client.read("/virtual-accounts")["data"] == []
    act(client, f"{PATH}/{session['id']}/cancel")
    account.refresh_from_db()
    assert account.status == "closed"


def test_assets_are_paid_to_an_address_and_a_tag_to_nowhere_yet(client):
    crypto = opened(client, method="crypto", currency="USDT", amount="10")
    assert crypto["instructions"]["assets"] == ["USDT"]
    assert crypto["instructions"]["order_reference"] == crypto["id"]
    assert crypto["amount"] == "10.000000"

    tag = opened(client, method="service_tag")
    assert "/pay/tag/tag_" in tag["instructions"]["service_pay_url"]
    refused = pay(client, tag, "1500.00")
    assert (refused.status, refused.json["reason"]) == (422, "not_released")
    assert read(client, tag)["payments"] == []


def test_a_mistake_is_pointed_at(client):
    change: Any
    for change, pointer in [
        ({"method": "crypto"}, "/method"),
        ({"currency": "USDT"}, "/method"),
        ({"amount": 1500}, "/amount"),
        ({"amount": "1e3"}, "/amount"),
        ({"amount": "0"}, "/amount"),
        ({"amount": "-1"}, "/amount"),
        ({"amount": "0.001"}, "/amount"),
        ({"amount": "90071992547409.92"}, "/amount"),
        ({"amount": "٣"}, "/amount"),
        ({"expires_in": 4}, "/expires_in"),
        ({"expires_in": 604_801}, "/expires_in"),
        ({"success_url": "javascript:alert(1)"}, "/success_url"),
        ({"success_url": "//evil.example"}, "/success_url"),
        ({"success_url": "https://a@evil.example/"}, "/success_url"),
        ({"success_url": "https://evil.example\\@a.example/"}, "/success_url"),
        ({"success_url": "http://shop.example/"}, "/success_url"),
        ({"success_url": "https://shop.example/{id}"}, "/success_url"),
        ({"success_url": "https://shop.example/50%"}, "/success_url"),
        ({"success_url": 'https://shop.example/"paid"'}, "/success_url"),
        ({"success_url": "https://shop.example/paid?ids[]=1"}, "/success_url"),
        ({"success_url": "https://shop.example/bezahlt-für"}, "/success_url"),
        ({"cancel_url": "https://shop.example/#a#b"}, "/cancel_url"),
        ({"cancel_url": "https://a[b]/"}, "/cancel_url"),
        ({"cancel_url": "data:text/html,x"}, "/cancel_url"),
        ({"cancel_url": "https://a.example/\r\nX: y"}, "/cancel_url"),
        ({"cancel_url": "https://a.example:99999/"}, "/cancel_url"),
    ]:
        assert pointed(client.ask(CREATE, PATH, BODY | change)) == [pointer]
    assert not CheckoutSession.objects.exists()


def test_a_placeholder_in_a_return_url_is_told_with_the_way_without_it(client):
    for written in (
        "{CHECKOUT_SESSION_ID}",
        "%7BCHECKOUT_SESSION_ID%7D",
        "%7bid%7d",
        "{{ session.id }}",
        "%7B%7Border_id%7D%7D",
    ):
        for member in ("success_url", "cancel_url"):
            sent = BODY | {member: f"https://shop.example/paid?session={written}"}
            (fault,) = client.ask(CREATE, PATH, sent).json["errors"]
            assert fault["pointer"] == f"/{member}"
            assert "do not fill in placeholders" in fault["detail"]
    # An object in the query is none.
    fine = BODY | {"success_url": "https://shop.example/paid?state=%7B%22order%22%3A1%7D"}
    assert client.ask(CREATE, PATH, fine).status == 201


def test_a_method_is_refused_with_those_of_the_currency(client):
    sent = {"amount": "10", "currency": "NGN", "method": "crypto"}
    (fault,) = client.ask(CREATE, PATH, sent).json["errors"]

    assert fault["detail"] == "For this currency, send bank_transfer or service_tag."
    assert "allowed" not in fault


def test_parts_add_up_and_what_is_too_much_is_told(client):
    session, before = opened(client), balance(client)

    pay(client, session, "500.00")
    said = pay(client, session, "600.00").json["session"]
    assert (said["status"], said["amount_paid"]) == ("awaiting_payment", "1100.00")
    assert said["amount_outstanding"] == "400.00"
    assert balance(client) == (before[0], before[1] + 110_000)
    said = pay(client, session, "450.00").json
    assert said["session"]["status"] == "paid"
    assert said["session"]["deposit_id"] == said["payment"]["id"]
    assert said["session"]["amount_outstanding"] == "0.00"
    assert balance(client) == (before[0] + 155_000, before[1])

    assert kinds(session) == ["created", "pending", "partially_paid", "paid"]
    bodies = [one["data"] for one in events(session)]
    assert [one["paid_amount_minor"] for one in bodies] == [0, 50_000, 110_000, 155_000]
    assert [one["status"] for one in bodies] == ["awaiting_payment"] * 3 + ["paid"]
    assert (bodies[-1]["surplus_minor"], bodies[-1]["payments"]) == (5_000, 3)
    assert "surplus_minor" not in bodies[-2]
    assert PublicEvent.objects.filter(kind="deposit.settled").count() == 3


def test_money_that_pays_at_once_is_first_seen_and_then_paid(client):
    session = opened(client)
    pay(client, session, "1500.00")
    assert kinds(session) == ["created", "pending", "paid"]


def test_a_reference_counts_once_in_all_sessions(client):
    first, second = opened(client), opened(client)

    pay(client, first, "500.00", provider_reference="PRV-1")
    again = pay(client, first, "900.00", provider_reference="PRV-1").json
    assert again["session"]["amount_paid"] == again["payment"]["amount"] == "500.00"
    other = pay(client, second, "1500.00", provider_reference="PRV-1").json
    assert other["session"]["status"] == "awaiting_payment"
    assert pay(client, second, "500.00", duplicate=True).json["session"]["amount_paid"] == "500.00"
    assert kinds(first) == kinds(second) == ["created", "pending"]


@pytest.mark.parametrize(("part", "status"), [("", "expired"), ("500.00", "underpaid")])
def test_whoever_looks_first_ends_it(client, part, status):
    session = opened(client)
    if part:
        pay(client, session, part)
    before = balance(client)
    overdue(session)

    assert read(client, session)["status"] == status
    assert kinds(session)[-1] == status
    late = pay(client, session, "1500.00").json
    assert late["session"]["status"] == status
    assert (late["payment"]["reason"], late["payment"]["status"]) == ("late", "held")
    assert late["session"]["amount_late"] == "1500.00"
    assert kinds(session).count(status) == 1
    part_minor = 50_000 if part else 0
    assert balance(client) == (before[0] + part_minor, before[1] - part_minor + 150_000)


def test_a_payment_is_late_if_it_comes_before_anybody_looked(client):
    session = opened(client)
    overdue(session)

    said = pay(client, session, "1500.00").json
    assert (said["session"]["status"], said["payment"]["reason"]) == ("expired", "late")


def test_an_ended_session_cannot_be_cancelled(client):
    session = opened(client)
    pay(client, session, "1500.00")

    refused = act(client, f"{PATH}/{session['id']}/cancel")
    assert (refused.status, refused.code) == (422, "VALIDATION_ERROR")
    assert "paid" in refused.json["detail"]


def test_the_list_is_filtered(client):
    first, second = opened(client, reference="A"), opened(client, reference="B")
    act(client, f"{PATH}/{first['id']}/cancel")

    for query, found in [
        ("status=cancelled", [first]),
        ("reference=B", [second]),
        ("status=cancelled&reference=B", []),
        ("", [second, first]),
        ("created_until=2026-01-01T00:00:00Z", []),
    ]:
        listed = client.read(PATH, query)["data"]
        assert [one["id"] for one in listed] == [one["id"] for one in found], query


def test_a_stranger_finds_nothing(client, api):
    session = opened(client)
    paid = pay(client, session, "1.00").json["payment"]["id"]
    other = Client(api, a_client())

    for path in (
        f"{PATH}/{session['id']}/cancel",
        f"{HELPERS}/{session['id']}/expire",
        f"{PATH}/{session['id']}/late-payments/{paid}/accept",
    ):
        assert act(other, path).code == "NOT_FOUND"
    own = opened(other)
    assert act(other, f"{PATH}/{own['id']}/late-payments/{paid}/accept").code == "NOT_FOUND"
