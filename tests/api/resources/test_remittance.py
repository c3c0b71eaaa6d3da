"""Beneficiaries, corridors and transfers: exactly the listed corridors are accepted."""

from decimal import ROUND_FLOOR, Decimal

import pytest
import time_machine

from api.payments import corridors, quotes
from api.payments.models import Quote, Transfer
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.money import Money
from console.publishing import publications
from tests import factories
from tests.api.asking import EXAMPLES, ROWS, faults, pointed, without_request
from tests.api.paying import left
from tests.publishing.changed import copied, write

ROOT = "/sandbox/v1"
BENEFICIARY = EXAMPLES["beneficiaries.create"]
TRANSFER = ROWS["POST", "/transfers"]


def transfer(client, amount="250.00", **more):
    body = client.body_of(TRANSFER) | {"amount": amount} | more
    return client.ask(TRANSFER, "/transfers", body)


def test_a_transfer_leaves_the_balance(api, client, plain):
    reply = transfer(client)

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["fee"], made["failure"]) == ("completed", "0.00", None)
    assert made["completed_at"] is not None
    assert left(api, plain, "USD") == ("999750.00", "0.00")


def test_all_unknown_ids_are_told_in_one_answer(client):
    reply = transfer(client, beneficiary_id="ben_none", quote_id="quo_none")
    assert reply.status == 422
    assert {(one["pointer"], one["code"]) for one in reply.json["errors"]} == {
        ("/beneficiary_id", "not_found"),
        ("/quote_id", "not_found"),
    }

    listed = client.read("/transfers", "beneficiary_id=ben_none&quote_id=quo_none")
    assert [one["code"] for one in listed["errors"]] == ["not_found", "not_found"]


# With a quote ------------------------------------------------------------------------------------


def quoted(client, amount="250.00", source="USD", to="GHS"):
    body = {"from": source, "to": to, "amount": amount}
    return client.ask(ROWS["POST", "/quotes"], "/quotes", body).json


def test_a_transfer_by_a_quote_binds_what_arrives(api, client, plain):
    quote = quoted(client)
    reply = transfer(client, quote_id=quote["id"])

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["quote_id"], made["rate"]) == (quote["id"], quote["rate"])
    assert (made["destination_currency"], made["destination_amount"]) == ("GHS", "2718.75")
    assert without_request(api.get(f"{ROOT}/transfers/{made['id']}", plain).json) == (
        without_request(made)
    )
    assert left(api, plain, "USD") == ("999750.00", "0.00")


def test_a_transfer_without_a_quote_shows_the_rate_of_the_day(client):
    rate = client.read("/rates", "base=USD&quotes=GHS")["data"][0]["rate"]
    made = transfer(client).json

    assert (made["quote_id"], made["rate"]) == (None, rate)
    arrives = (Decimal("250.00") * Decimal(rate)).quantize(Decimal("0.01"), ROUND_FLOOR)
    assert made["destination_amount"] == str(arrives)
    assert made["destination_currency"] == "GHS"


@pytest.mark.parametrize(
    ("quote", "pointers"),
    [
        ({"amount": "250.01"}, ["/amount"]),
        ({"source": "EUR"}, ["/currency"]),
        ({"to": "KES"}, ["/beneficiary_id"]),
        (
            {"amount": "1.00", "source": "EUR", "to": "KES"},
            ["/currency", "/amount", "/beneficiary_id"],
        ),
    ],
)
def test_a_quote_of_something_else_is_a_mistake_and_stays_unused(client, quote, pointers):
    other = quoted(client, **quote)
    found = faults(transfer(client, quote_id=other["id"]))
    assert found == [(pointer, "not_as_quoted") for pointer in pointers]
    assert not Quote.objects.exclude(used_at=None).exists()
    assert not Transfer.objects.exists()


def test_a_quote_that_was_used_or_has_expired_pays_nobody(api, client, plain):
    quote = quoted(client)["id"]
    row = ROWS["POST", "/conversions"]
    assert client.ask(row, row.path, {"quote_id": quote}).status == 201
    late = quoted(client)["id"]

    used = transfer(client, quote_id=quote)
    assert (used.code, used.json["reason"]) == ("QUOTE_EXPIRED", "quote_used")
    with time_machine.travel(clock.now() + quotes.LIFETIME):
        expired = transfer(client, quote_id=late)
    assert (expired.code, expired.json["reason"]) == ("QUOTE_EXPIRED", "quote_expired")
    assert not Transfer.objects.exists()
    assert left(api, plain, "USD") == ("999750.00", "0.00")


def test_a_transfer_that_is_refused_leaves_its_quote_unused(client):
    quote = quoted(client, "10.41")["id"]

    assert transfer(client, "10.41", quote_id=quote).code == "INSUFFICIENT_BALANCE"
    assert pointed(transfer(client, "10.41", quote_id="quo_none")) == ["/quote_id"]
    assert Quote.objects.get(public_id=quote).used_at is None


# Corridors ---------------------------------------------------------------------------------------


def test_another_version_counts_once_two_people_put_it_in_use(
    api, client, plain, tmp_path, monkeypatch
):
    files = copied(corridors.FILES, tmp_path, monkeypatch)
    monkeypatch.setattr(corridors, "FILES", files)
    write(files, "2026-12-01", like="2026-11-01", sources=["NGN"])

    def sources():
        found = api.get(f"{ROOT}/transfers/corridors", plain).json["data"]
        return {one["source_currency"] for one in found}

    proposal = factories.proposed(files, "2026-12-01")
    assert {"NGN", "USD"} < sources()
    publications.put_in_use(
        proposal, reason="Checked.", by=factories.one_of_staff(Role.HEAD_OF_LEGAL)
    )

    assert sources() == {"NGN"}
    assert transfer(client, "1.00").code == "NO_PROVIDER_ENABLED"


def test_every_corridor_that_is_listed_takes_a_transfer(api, client, plain):
    found = api.get(f"{ROOT}/transfers/corridors", plain).json["data"]
    assert len(found) > 100
    assert not {one["source_currency"] for one in found} & {"cNGN"}

    # One of each end and one of each source represent all pairs.
    ends = {(one["destination_country"], one["destination_currency"]): one for one in found}
    sources = {one["source_currency"]: one for one in found}
    for one in [*ends.values(), *sources.values()]:
        corridors.require(
            Money.parse("1.00", one["source_currency"]),
            one["destination_country"],
            0,
            "LOW",
            currency=one["destination_currency"],
        )


@pytest.mark.parametrize(
    "change",
    [{"country": "BR"}, {"currency": "EUR"}],
)
def test_what_the_list_leaves_out_is_not_accepted(api, client, plain, change):
    body = BENEFICIARY | change
    to = client.ask(ROWS["POST", "/beneficiaries"], "/beneficiaries", body).json["id"]

    reply = transfer(client, beneficiary_id=to)

    assert (reply.status, reply.code) == (422, "NO_PROVIDER_ENABLED")


def test_an_amount_over_the_most_of_the_corridor_is_not_accepted(api, client):
    assert transfer(client, "5000000.00").code == "INSUFFICIENT_BALANCE"
    assert transfer(client, "5000000.01").code == "NO_PROVIDER_ENABLED"


def test_a_country_that_is_restricted_later_leaves_the_list_and_is_blocked(api, client, plain):
    body = client.body_of(TRANSFER)
    factories.restricted("GH", "Ghana")

    found = api.get(f"{ROOT}/transfers/corridors", plain).json["data"]
    assert "GH" not in {one["destination_country"] for one in found}
    assert client.ask(TRANSFER, "/transfers", body).code == "COMPLIANCE_BLOCKED"


# Beneficiaries -----------------------------------------------------------------------------------


def test_a_beneficiary_that_was_deleted_is_gone_and_its_transfers_stay(api, client, plain):
    made = transfer(client).json
    path = f"{ROOT}/beneficiaries/{made['beneficiary_id']}"

    reply = api.call("DELETE", path, plain)

    assert reply.status == 200
    assert without_request(reply.json) == {
        "id": made["beneficiary_id"],
        "object": "beneficiary",
        "deleted": True,
    }
    assert [api.call(method, path, plain).code for method in ("GET", "DELETE")] == ["NOT_FOUND"] * 2
    assert made["beneficiary_id"] not in api.get(f"{ROOT}/beneficiaries", plain).body.decode()
    gone = transfer(client, beneficiary_id=made["beneficiary_id"])
    assert pointed(gone) == ["/beneficiary_id"]
    assert api.get(f"{ROOT}/transfers/{made['id']}", plain).status == 200
    codes = Entry.objects.filter(subject_id=made["beneficiary_id"]).values_list("code", flat=True)
    assert sorted(codes) == ["beneficiary.created", "beneficiary.removed"]
