"""Cards in live: ordered while the caller waits, and used and ended as the issuer reports."""

import itertools

import pytest

from api.payments import screenings
from api.payments.lifecycle import ScreeningStatus
from api.payments.models import (
    Card,
    CardTransaction,
    PaymentScreening,
    ProviderBreak,
    ProviderInstruction,
)
from console.accounts.roles import Role
from tests import factories
from tests.api.live import scripted
from tests.api.live.scripted import Scripted
from tests.api.live.test_statements import Day
from tests.api.live.world import (
    a_live_key,
    an_account,
    left,
    money_in,
    read_all,
    send,
    tell,
    work,
)
from tests.providers.reference import running
from tests.providers.test_protocol import errors_of, named
from tests.waiting import eventually

ADDRESS = {"line1": "1 Marina Road", "city": "Lagos", "postal_code": "101241", "country": "NG"}
_numbers = itertools.count(1)


@pytest.fixture
def plain(api, provider):
    plain = a_live_key()[1]
    money_in(api, provider, an_account(api, plain, provider), "1000.00")
    return plain


def post(api, plain, place, body, key=""):
    key = key or f"card-key-{next(_numbers):06}"
    return api.post(f"/v1/{place}", plain, body, HTTP_IDEMPOTENCY_KEY=key)


def a_holder(api, plain, first="Ada", last="Obi"):
    body = {
        "first_name": first,
        "last_name": last,
        "date_of_birth": "1990-12-10",
        "country": "NG",
        "address": ADDRESS,
    }
    made = post(api, plain, "cardholders", body)
    assert made.status == 201, made.body
    return made.json["id"]


def order(api, plain, holder, key="", **more):
    body = {"cardholder_id": holder, "card_type": "virtual", "currency": "NGN"} | more
    return post(api, plain, "cards", body, key)


def issued(provider):
    """Let the issuer answer the next order with a card."""

    def answer(path):
        digits = {"last4": "4242", "expiry_month": 3, "expiry_year": 2031}
        return 200, {"id": path.rpartition("/")[2], "status": "issued"} | digits

    provider.answers.append(answer)


def a_card(api, plain, provider, **more):
    holder = a_holder(api, plain)
    work()
    issued(provider)
    made = order(api, plain, holder, **more)
    assert made.status == 201, made.body
    return made.json["id"]


def use(api, provider, card, amount="12.50", **more):
    data = {
        "amount": amount,
        "currency": "NGN",
        "provider_reference": f"ISS-{next(_numbers)}",
        "merchant_name": "Corner Shop",
    } | more
    tell(api, provider, "card.used", card, data)
    work()
    return data["provider_reference"]


def test_a_card_is_issued_once_for_one_key(api, provider, plain):
    holder = a_holder(api, plain)
    work()
    provider.answers += [scripted.DROP, (503, {})]
    first = order(api, plain, holder, key="one-card-key")
    second = order(api, plain, holder, key="one-card-key")
    assert {(one.status, one.json["code"]) for one in (first, second)} == {
        (503, "PROVIDER_UNAVAILABLE")
    }
    assert not Card.objects.exists()
    issued(provider)
    made = order(api, plain, holder, key="one-card-key")
    again = order(api, plain, holder, key="one-card-key")
    assert (made.status, again.json["id"]) == (201, made.json["id"])
    assert (made.json["last4"], made.json["expiry_year"]) == ("4242", 2031)
    asked = [path for path in provider.sent("PUT") if path.startswith("/cards/")]
    assert asked == [f"/cards/{made.json['id']}"] * 3
    body = provider.kept[asked[0]]
    assert errors_of(named("NewCard"), body) == []
    assert body["holder"]["date_of_birth"] == "1990-12-10"


@pytest.mark.parametrize(
    "answer",
    [
        {"status": "pending"},
        {"status": "issued"},
        {"status": "issued", "last4": "42", "expiry_month": 1, "expiry_year": 2031},
        {"status": "issued", "id": "crd_other", "last4": "4242", "expiry_month": 1,
         "expiry_year": 2031},
    ],
)  # fmt: skip
def test_an_answer_without_a_card_issues_none(api, provider, plain, answer):
    holder = a_holder(api, plain)
    work()
    provider.answers.append(lambda path: (200, {"id": path.rpartition("/")[2]} | answer))
    made = order(api, plain, holder)
    assert (made.status, made.json["code"]) == (503, "PROVIDER_UNAVAILABLE")
    assert not Card.objects.exists()


def test_a_refused_card_is_said_to_be_refused(api, provider, plain):
    holder = a_holder(api, plain)
    work()
    provider.answers.append(
        lambda path: (200, {"id": path.rpartition("/")[2], "status": "refused", "reason": "other"})
    )
    made = order(api, plain, holder)
    assert (made.json["code"], made.json["reason"]) == ("NO_PROVIDER_ENABLED", "card_refused")


def test_nobody_gets_a_card_before_a_comparison_with_the_lists(api, provider, plain):
    holder = a_holder(api, plain)
    made = order(api, plain, holder)
    assert (made.status, made.json["code"]) == (503, "PROVIDER_UNAVAILABLE")
    work()
    issued(provider)
    assert order(api, plain, holder).status == 201


def test_somebody_on_a_list_gets_no_card(api, provider, plain):
    holder = a_holder(api, plain, "Sanctioned", "Shipping")
    work()
    row = PaymentScreening.objects.get(object_id=holder)
    assert (row.kind, row.status) == ("cardholder", ScreeningStatus.MATCHED)
    assert order(api, plain, holder).json["code"] == "PROVIDER_UNAVAILABLE"
    one, other = factories.one_of_staff(Role.COMPLIANCE), factories.one_of_staff(Role.COMPLIANCE)
    screenings.propose(row, reason="The same birth date.", by=one)
    screenings.confirm(row, reason="I agree.", by=other)
    made = order(api, plain, holder)
    assert (made.json["code"], made.json["reason"]) == ("NO_PROVIDER_ENABLED", "card_refused")
    assert not [path for path in provider.sent("PUT") if path.startswith("/cards/")]


def test_a_payment_by_card_counts_once_for_each_reference(api, provider, plain):
    card = a_card(api, plain, provider)
    reference = use(api, provider, card)
    use(api, provider, card, provider_reference=reference)
    (payment,) = read_all(api, plain, "/v1/card-transactions")
    assert (payment["status"], payment["amount"], payment["merchant_name"]) == (
        "completed", "12.50", "Corner Shop",
    )  # fmt: skip
    assert left(api, plain) == ("987.50", "0.00")
    assert not ProviderBreak.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"amount": "5000.00"}, {"amount": "0.00"}, {"currency": "USD"}, {"amount": "1.001"}]
)
def test_a_payment_that_cannot_be_booked_is_a_difference(api, provider, plain, wrong):
    card = a_card(api, plain, provider)
    use(api, provider, card, **wrong)
    assert not CardTransaction.objects.exists()
    assert ProviderBreak.objects.get().kind == "not_booked"


def test_another_amount_under_a_known_reference_is_a_difference(api, provider, plain):
    card = a_card(api, plain, provider)
    reference = use(api, provider, card)
    use(api, provider, card, "99.00", provider_reference=reference)
    assert left(api, plain) == ("987.50", "0.00")
    assert ProviderBreak.objects.get().object_id == reference


def test_the_issuer_hears_of_each_new_status_in_order(api, provider, plain):
    card = a_card(api, plain, provider)
    for word in ("freeze", "unfreeze", "terminate"):
        assert post(api, plain, f"cards/{card}/{word}", {}).status == 200
    work()
    told = [provider.kept[f"/changes/{card}.{number}"] for number in (1, 2, 3)]
    assert [one["status"] for one in told] == ["frozen", "active", "terminated"]
    assert [one["number"] for one in told] == [1, 2, 3]
    assert [errors_of(named("Change"), one) for one in told] == [[], [], []]


def test_a_new_status_that_the_issuer_refuses_is_left_to_staff(api, provider, plain):
    card = a_card(api, plain, provider)
    post(api, plain, f"cards/{card}/freeze", {})
    provider.answers.append((200, {"id": f"{card}.1", "status": "failed", "reason": "other"}))
    work()
    row = ProviderInstruction.objects.get(public_id=f"{card}.1")
    assert (row.status, "refuses" in row.problem) == ("stuck", True)


def test_a_closed_account_is_closed_at_its_bank_also_when_it_was_still_opening(
    api, provider, plain
):
    account = an_account(api, plain, provider)
    opening = post(api, plain, "virtual-accounts", {"currency": "NGN"}).json["id"]
    for one in (account, opening):
        assert post(api, plain, f"virtual-accounts/{one}/close", {}).status == 200
    work()
    assert provider.kept[f"/changes/{account}.1"]["status"] == "closed"
    assert f"/changes/{opening}.1" not in provider.kept
    data = {"account_number": "0987654321", "bank_name": "Test Bank"}
    tell(api, provider, "account.issued", opening, data)
    work()
    assert provider.kept[f"/changes/{opening}.1"]["status"] == "closed"


def test_the_issuer_activates_and_ends_cards(api, provider, plain):
    card = a_card(api, plain, provider, card_type="physical")
    statuses = []
    for kind in ("card.activated", "card.activated", "card.terminated", "card.terminated"):
        tell(api, provider, kind, card, {})
        work()
        statuses.append(Card.objects.get(public_id=card).status)
    assert statuses == ["active", "active", "terminated", "terminated"]
    # Its issuer knows it.
    assert not [path for path in provider.sent("PUT") if path.startswith("/changes/")]


def test_an_event_of_a_card_about_an_account_changes_nothing(api, provider, plain):
    account = an_account(api, plain, provider)
    for kind in ("card.activated", "card.terminated"):
        tell(api, provider, kind, account, {})
    use(api, provider, account)
    assert left(api, plain) == ("1000.00", "0.00")


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_statement_names_a_payment_by_card_by_the_reference_of_its_issuer(
    api, provider, is_listed
):
    day = Day(api, provider)
    card = a_card(api, day.plain, provider)
    reference = use(api, provider, card)
    paid = {"object": None, "account": card, "provider_reference": reference, "amount": "-12.50"}
    day.state([*day.movements(), paid] if is_listed else day.movements())
    day.compare()
    assert day.kinds() == ([] if is_listed else [("missing_there", reference)])


def test_the_bank_of_the_accounts_is_not_asked_for_what_another_issuer_paid(api, provider):
    provider.work = [one for one in scripted.WORK if one != "cards"]
    with scripted.connected(Scripted("issuer", ["cards"]), beside=provider) as issuer:
        day = Day(api, provider)
        card = a_card(api, day.plain, issuer)
        use(api, issuer, card)
        day.state(day.movements())
        day.compare()
        assert left(api, day.plain) == ("887.50", "0.00")
        assert day.kinds() == []


def test_a_card_of_the_reference_provider_pays_unless_it_is_frozen(api, plain, tmp_path, settings):
    holder = a_holder(api, plain)
    work()
    with running(tmp_path) as (bank, console):
        settings.LIVE_PROVIDERS = bank.toml
        card = order(api, plain, holder).json["id"]
        pay = "do=Use&amount=12.50&merchant_name=Corner+Shop"
        for word, status in (("freeze", 400), ("unfreeze", 200)):
            assert post(api, plain, f"cards/{card}/{word}", {}).status == 200
            work()
            assert bank.press(f"pay/{card}", pay) == status
        eventually(lambda: console.received)
        ((_, headers, body),) = console.received
        assert send(api, body, headers).status == 202
        work()
    (payment,) = read_all(api, plain, "/v1/card-transactions")
    assert (payment["card_id"], payment["amount"]) == (card, "12.50")
    assert left(api, plain) == ("987.50", "0.00")
