"""cNGN: available to a business only while our account team has it open."""

from functools import partial

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse

from api.payments import currencies, ledger, reconciliation
from api.payments.disbursements import CONVERSIONS
from api.payments.models import Account, Balance, Conversion, CurrencyOptIn, EntryType
from api.providers.interface import NoProvider
from apikeys import sandbox_readiness
from apikeys.grants import grants
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.core.money import Money
from console.core.refusals import NotAllowed, NotReady, WrongStatus
from console.events.models import Event as PublishedEvent
from tests import factories
from tests.api.asking import ROWS, Client, a_client
from tests.api.paying import left
from tests.apikeys import world
from tests.waiting import in_the_middle_of

ROOT = "/sandbox/v1"
WHY = "They settle with a partner in cNGN."
EVM_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.fixture
def plain():
    return a_client()


@pytest.fixture
def client_of_api(unrefilled_api, plain):
    return Client(unrefilled_api, plain)


@pytest.fixture
def business(plain):
    return Grant.objects.get().business


@pytest.fixture
def manager():
    return factories.one_of_staff(Role.ACCOUNT_MANAGER)


@pytest.fixture
def opted(business, manager):
    return currencies.opt_in(business, "cNGN", reason=WHY, by=manager)


def convert(client, amount, source, to):
    body = {"from": source, "to": to, "amount": amount}
    quote = client.ask(ROWS["POST", "/quotes"], "/quotes", body)
    assert quote.status == 201, quote.body
    body = {"quote_id": quote.json["id"]}
    return client.ask(ROWS["POST", "/conversions"], "/conversions", body)


def named(client):
    """Return the lists and routes that contain or accept cNGN."""
    api, plain = client.api, client.plain
    lists = {
        path: "cNGN" in api.get(f"{ROOT}/{path}", plain).body.decode()
        for path in ("balances", "rates", "transfers/corridors")
    }
    asked = {
        "/quotes": {"from": "USD", "to": "cNGN", "amount": "1.00"},
        "/otc-orders": {"side": "buy", "asset": "cNGN", "currency": "USD", "amount": "1500.00"},
        "/crypto/addresses": {"asset": "cNGN", "network": "polygon"},
        "/crypto/withdrawals": {
            "asset": "cNGN", "network": "polygon", "amount": "1.00", "address": EVM_ADDRESS,
        },
        "/payouts": client.body_of(ROWS["POST", "/payouts"]) | {"currency": "cNGN"},
        "/transfers": client.body_of(ROWS["POST", "/transfers"]) | {"currency": "cNGN"},
    }  # fmt: skip
    replies = {path: client.ask(ROWS["POST", path], path, body) for path, body in asked.items()}
    replies["/rates"] = api.get(f"{ROOT}/rates", plain, "quotes=cNGN")
    for reply in replies.values():
        assert reply.status < 300 or reply.code == "NO_PROVIDER_ENABLED", reply.body
    return lists | {path: reply.status < 300 for path, reply in replies.items()}


def test_until_it_is_opened_nothing_names_it_or_takes_it(client_of_api, business):
    assert set(named(client_of_api).values()) == {False}
    assert not Balance.objects.filter(currency="cNGN").exists()


@pytest.mark.usefixtures("opted")
def test_once_it_is_opened_it_is_a_currency_like_any_other(client_of_api, business):
    client = client_of_api
    assert left(client.api, client.plain, "cNGN") == ("100000.000000", "0.000000")
    assert set(named(client).values()) == {True}
    other = Client(client.api, a_client())
    assert set(named(other).values()) == {False}
    assert [one.business for one in Balance.objects.filter(currency="cNGN")] == [business]


def test_it_is_written_down_with_its_reason(opted, business, manager):
    opt_in_entry = Entry.objects.get(subject_id=opted.public_id)
    assert (opt_in_entry.code, opt_in_entry.actor_id) == ("currency.opened", manager.public_id)
    assert WHY in opt_in_entry.body
    assert PublishedEvent.objects.get(subject_id=opted.public_id).kind == "currency.opened"


def test_a_sandbox_that_opens_later_has_it_too(manager):
    business = factories.a_business()
    currencies.opt_in(business, "cNGN", reason=WHY, by=manager)
    assert not Balance.objects.filter(business=business).exists()

    world.a_grant(business)

    (balance,) = Balance.objects.filter(business=business, currency="cNGN")
    assert (balance.environment, balance.total) == ("sandbox", Money(100_000_000_000, "cNGN"))


# Closing it --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("opted")
def test_it_is_not_ended_while_a_balance_holds_anything(business, manager):
    with pytest.raises(NotReady) as refused:
        currencies.opt_out(business, "cNGN", reason=WHY, by=manager)

    assert [one.message for one in refused.value.blockers] == [
        "The sandbox balance holds 100000.000000 cNGN. It must be zero."
    ]
    assert CurrencyOptIn.objects.get().ended_at is None


@pytest.mark.usefixtures("opted")
def test_at_zero_it_is_ended_and_may_be_opened_again(client_of_api, business, manager):
    client = client_of_api
    assert convert(client, "100000.000000", "cNGN", "NGN").status == 201

    ended = currencies.opt_out(business, "cNGN", reason="Their partner left.", by=manager)

    assert set(named(client).values()) == {False}
    codes = Entry.objects.filter(subject_id=ended.public_id).order_by("pk")
    assert [one.code for one in codes] == ["currency.opened", "currency.ended"]
    with pytest.raises(WrongStatus):
        currencies.opt_out(business, "cNGN", reason=WHY, by=manager)
    again = currencies.opt_in(business, "cNGN", reason=WHY, by=manager)
    assert again != ended
    # The opening balance is given only once.
    assert left(client.api, client.plain, "cNGN") == ("0.000000", "0.000000")
    reconciliation.reconcile(by=SYSTEM)
    assert not Balance.objects.filter(stopped_at__isnull=False).exists()


@pytest.mark.usefixtures("opted")
def test_what_would_still_bring_it_in_fails_and_comes_back(client_of_api, business, manager):
    client = client_of_api
    assert convert(client, "100000.000000", "cNGN", "NGN").status == 201
    waits = convert(client, "10.45", "USD", "cNGN").json
    assert waits["status"] == "pending"
    currencies.opt_out(business, "cNGN", reason=WHY, by=manager)
    Conversion.objects.filter(public_id=waits["id"]).update(settles_at=clock.now())

    CONVERSIONS.settle_due()

    assert Conversion.objects.get(public_id=waits["id"]).status == "failed"
    assert left(client.api, client.plain, "USD") == ("1000000.00", "0.00")
    assert Balance.objects.get(currency="cNGN").total.minor == 0


@pytest.mark.usefixtures("opted")
def test_the_database_ends_no_balance_that_holds_something(business):
    with pytest.raises(IntegrityError, match="a_removed_balance_is_empty"), transaction.atomic():
        Balance.objects.filter(currency="cNGN").update(removed_at=clock.now())
    with pytest.raises(DatabaseError, match="never changes once it is set"):
        connection.cursor().execute("UPDATE sandbox_currencyoptin SET opened_at = now()")


@pytest.mark.usefixtures("opted")
def test_nothing_is_posted_to_a_balance_that_was_ended(client_of_api, business, manager):
    convert(client_of_api, "100000.000000", "cNGN", "NGN")
    currencies.opt_out(business, "cNGN", reason=WHY, by=manager)
    balance = Balance.objects.get(currency="cNGN")

    route = (Account.EXTERNAL, Account.AVAILABLE)
    with pytest.raises(NoProvider), transaction.atomic():
        ledger.post(business, "sandbox", Money(1, "cNGN"), route, EntryType.PAYOUT, "pay")
    with pytest.raises(IntegrityError, match="a balance of its own"), transaction.atomic():
        balance.entries.create(
            business=business, environment="sandbox", type=EntryType.PAYOUT, amount=1,
            currency="cNGN", from_account=route[0], to_account=route[1], created_at=clock.now(),
        )  # fmt: skip


# Who decides -------------------------------------------------------------------------------------


def test_whoever_belonged_to_the_business_does_not_decide(business, manager):
    factories.join(business, manager, Role.VIEWER)
    factories.leave(business, manager)

    with pytest.raises(NotAllowed):
        currencies.opt_in(business, "cNGN", reason=WHY, by=manager)


def test_it_is_opened_once(business, opted, manager):
    with pytest.raises(WrongStatus):
        currencies.opt_in(business, "cNGN", reason=WHY, by=manager)
    with pytest.raises(WrongStatus):
        currencies.opt_in(business, "USD", reason=WHY, by=manager)
    assert CurrencyOptIn.objects.get() == opted


# The page ----------------------------------------------------------------------------------------


def test_the_page_takes_a_reason_and_a_fresh_proof(client, business, manager):
    address = reverse("api:currency", args=[business.public_id, "cNGN"])
    factories.signed_in(client, manager)
    assert b"Open cNGN" in client.get(address).content
    assert b"Say why, in a sentence." in client.post(address, {"wanted": "open"}).content
    factories.long_ago(client)
    assert client.post(address, {"wanted": "open", "reason": WHY}).status_code == 302
    assert not CurrencyOptIn.objects.exists()

    factories.just_now(client)
    page = client.post(address, {"wanted": "open", "reason": WHY}, follow=True)

    assert b"Close cNGN" in page.content
    assert b"100,000.000000 cNGN" in page.content
    # An outdated page does not do the opposite.
    assert client.post(address, {"wanted": "open", "reason": WHY}).status_code == 409
    refused = client.post(address, {"wanted": "end", "reason": WHY})
    assert refused.status_code == 409
    assert b"It must be zero." in refused.content


def test_only_a_currency_to_opt_in_to_has_a_page(client, business, manager):
    factories.signed_in(client, manager)
    for code in ("USD", "XYZ", "cngn"):
        assert (
            client.get(reverse("api:currency", args=[business.public_id, code])).status_code == 404
        )


def test_the_account_team_finds_it_on_the_page_of_the_grant(client, business, manager):
    address = reverse("api:currency", args=[business.public_id, "cNGN"])
    grant = reverse("apikeys:grant", args=[Grant.objects.get().public_id])
    for role, there in ((Role.ACCOUNT_MANAGER, True), (Role.AUDITOR, False)):
        factories.signed_in(client, factories.one_of_staff(role))
        assert (f'href="{address}"' in client.get(grant).content.decode()) == there


# Concurrency -------------------------------------------------------------------------------------


@pytest.mark.parametrize("swapped", [False, True])
def test_a_sandbox_that_opens_in_the_moment_of_an_opt_in_has_its_balance(
    manager, monkeypatch, swapped
):
    business = factories.a_business()
    monkeypatch.setattr(sandbox_readiness, "blockers", lambda business: [])
    verbs = [
        partial(grants.open_sandbox, business, by=SYSTEM),
        partial(currencies.opt_in, business, "cNGN", reason=WHY, by=manager),
    ]

    in_the_middle_of(*(reversed(verbs) if swapped else verbs))

    (balance,) = Balance.objects.filter(business=business, currency="cNGN")
    assert balance.total == Money(100_000_000_000, "cNGN")


def test_a_sandbox_that_opens_in_the_moment_of_its_end_has_no_balance(manager, monkeypatch):
    business = factories.a_business()
    currencies.opt_in(business, "cNGN", reason=WHY, by=manager)
    monkeypatch.setattr(sandbox_readiness, "blockers", lambda business: [])

    in_the_middle_of(
        partial(currencies.opt_out, business, "cNGN", reason=WHY, by=manager),
        partial(grants.open_sandbox, business, by=SYSTEM),
    )

    assert not Balance.objects.filter(business=business, currency="cNGN").exists()
