"""The reference provider as a real process: calls, signatures, events, kills and statements."""

import http.client
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from standardwebhooks import Webhook
from stdnum import iban

from tests.providers.reference import (
    EVENT_SECRET,
    PROGRAM,
    REQUEST_SECRET,
    ReferenceProvider,
    StandInConsole,
    running,
    signed,
)
from tests.waiting import eventually

OTHER_SECRET = "whsec_" + "b3RoZXIgc2VjcmV0"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    with running(tmp_path_factory.mktemp("provider")) as pair:
        yield pair


@pytest.fixture
def provider(both) -> ReferenceProvider:
    return both[0]


@pytest.fixture
def console(both) -> StandInConsole:
    return both[1]


def payout(amount="12.00", business="biz_one", **changes):
    account = {"country": "NG", "account_number": "0123456789", "bank_code": "058"}
    return {
        "kind": "payout",
        "environment": "live",
        "business": business,
        "amount": amount,
        "currency": "NGN",
        "reference": "INV 7",
        "created_at": "2026-11-29T10:00:00Z",
        "details": {"bank_account": account | {"account_name": "Ada Obi"}},
    } | changes


def an_account(currency="NGN", business="biz_one", **changes):
    body = {"environment": "live", "business": business, "currency": currency}
    return body | {"account_name": "Ada Obi Ltd"} | changes


def today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def is_final(provider, identifier):
    return state(provider, identifier) in ("completed", "failed")


def state(provider, identifier):
    return provider.call("GET", f"/instructions/{identifier}")[1]["status"]


def test_it_is_one_short_file_that_imports_nothing_of_ours():
    text = PROGRAM.read_text()
    assert len(text.splitlines()) <= 450
    alone = "import sys; sys.path[:0] = [sys.argv[1]]; import provider; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", alone, PROGRAM.parent],
        cwd="/", capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert "aiohttp" in loaded
    ours = {"console", "onboarding", "agreements", "apikeys", "api", "django"}
    assert {name.partition(".")[0] for name in loaded} & ours == set()


# Instructions


def test_a_payout_is_accepted_and_completes_by_an_event(provider, console):
    status, said = provider.call("PUT", "/instructions/pay_1", payout())

    assert (status, said["id"], said["status"], said["reason"]) == (200, "pay_1", "accepted", None)
    eventually(lambda: console.about("pay_1"))
    (event,) = console.about("pay_1")
    assert event.pop("id").startswith("evt_")
    assert event.pop("occurred_at").endswith("Z")
    assert event == {
        "sequence": 1,
        "type": "instruction.completed",
        "object": "pay_1",
        "data": {"provider_reference": said["provider_reference"]},
    }
    assert provider.call("GET", "/instructions/pay_1") == (200, said | {"status": "completed"})


def test_an_event_is_signed_as_standard_webhooks_says(provider, console):
    provider.call("PUT", "/instructions/pay_signed", payout())
    eventually(lambda: console.about("pay_signed"))
    path, headers, body = console.received[-1]
    assert path == "/providers/bank/events"
    assert headers["webhook-id"] == json.loads(body)["id"]
    assert Webhook(EVENT_SECRET).verify(body, headers) == json.loads(body)


def test_the_same_instruction_is_executed_once(provider):
    body = payout("3.00", "biz_same")
    with ThreadPoolExecutor(8) as pool:
        said = list(
            pool.map(lambda _: provider.call("PUT", "/instructions/pay_same", body), "8" * 8)
        )
    assert {status for status, _ in said} == {200}
    assert len({answer["provider_reference"] for _, answer in said}) == 1
    eventually(lambda: state(provider, "pay_same") == "completed")

    reordered = dict(reversed(body.items()))
    status, again = provider.call("PUT", "/instructions/pay_same", reordered)
    assert (status, again["status"]) == (200, "completed")
    statement = provider.call("GET", f"/statements/NGN/{today()}?business=biz_same")[1]
    assert [one["amount"] for one in statement["movements"]] == ["-3.00"]


@pytest.mark.parametrize("path", ["/instructions/pay_other", "/accounts/vac_other"])
def test_the_same_id_with_another_body_is_a_conflict(provider, path):
    body = payout() if "pay" in path else an_account()
    assert provider.call("PUT", path, body)[0] == 200
    for change in ({"business": "biz_two"}, {"currency": "USD"}, {"more": 1}):
        status, said = provider.call("PUT", path, body | change)
        assert (status, said["error"]["code"]) == (409, "conflict")
    assert provider.call("PUT", path, body)[0] == 200


@pytest.mark.parametrize("path", ["/instructions/pay_none", "/accounts/vac_none", "/other"])
def test_what_was_never_sent_is_not_found(provider, path):
    status, said = provider.call("GET", path)
    assert (status, set(said["error"])) == (404, {"code", "message"})


def test_an_unknown_kind_fails_as_not_supported(provider, console):
    status, said = provider.call("PUT", "/instructions/car_1", payout(kind="card_purchase"))
    assert (status, said["status"], said["reason"]) == (200, "failed", "not_supported")
    assert console.about("car_1") == []


NO_TEXT: tuple[Any, ...] = (None, 12, ["x"], {}, "\ud800")
NO_WORD = (*NO_TEXT, "", "a b", "\u00e9", "x" * 141)
NO_AMOUNT = (*NO_TEXT, "", "-1.00", "1.", "01", "1e3", "\u0661.00", "1.123456789")
CONVERSION: dict[str, Any] = {"to_amount": "1.00", "to_currency": "USD"}
BAD = [
    *(b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b"1" * 5000, b'{"amount": NaN}'),
    *(
        json.dumps(payout(**{name: value})).encode()
        for name, values in {
            "kind": NO_TEXT,
            "environment": NO_WORD,
            "business": NO_WORD,
            "currency": NO_WORD,
            "amount": NO_AMOUNT,
            "details": (None, [], "x"),
        }.items()
        for value in values
    ),
    *(
        json.dumps(payout(kind="conversion", details=details)).encode()
        for details in (
            {},
            *(CONVERSION | {"to_currency": value} for value in NO_WORD),
            *(CONVERSION | {"to_amount": value} for value in NO_AMOUNT),
        )
    ),
]


def test_a_bad_body_is_refused(provider):
    for body in BAD:
        status, said = provider.call("PUT", "/instructions/pay_bad", body)
        assert (status, set(said["error"])) == (400, {"code", "message"}), body[:300]
    assert provider.call("GET", "/instructions/pay_bad")[0] == 404


def test_a_body_that_is_too_long_is_refused(provider):
    assert provider.call("PUT", "/instructions/pay_bad", b" " * 2**21)[0] == 413


# Signatures


@pytest.mark.parametrize(
    "changes",
    [
        {"webhook-id": "PUT /instructions/pay_elsewhere"},
        {"webhook-id": "GET /instructions/pay_forged"},
        {"webhook-timestamp": "0"},
        {"webhook-timestamp": "soon"},
        {"webhook-timestamp": ""},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,AAAA"},
        {"webhook-signature": "\u00e9"},
    ],
)
def test_a_wrong_header_is_refused(provider, changes):
    path = "/instructions/pay_forged"
    status, said = provider.call("PUT", path, payout(), **changes)
    assert (status, set(said["error"])) == (401, {"code", "message"})
    assert provider.call("GET", path)[0] == 404


@pytest.mark.parametrize("secret", [OTHER_SECRET, EVENT_SECRET])
def test_another_secret_is_refused(provider, secret):
    path, data = "/instructions/pay_forged", json.dumps(payout()).encode()
    forged = signed(f"PUT {path}", data, secret)
    assert provider.call("PUT", path, data, **forged)[0] == 401
    # During a rotation there are several signatures, of which one fits.
    right = signed(f"PUT {path}", data, REQUEST_SECRET)["webhook-signature"]
    both = {"webhook-signature": f"{forged['webhook-signature']} {right}"}
    assert provider.call("PUT", "/instructions/pay_forged", data, **both)[0] == 200


@pytest.mark.parametrize(("age", "status"), [(-330, 401), (-270, 404), (270, 404), (330, 401)])
def test_an_old_request_is_refused(provider, age, status):
    old = signed("GET /instructions/pay_old", b"", REQUEST_SECRET, at=time.time() + age)
    assert provider.call("GET", "/instructions/pay_old", **old)[0] == status


def test_a_signature_covers_the_query(provider):
    path = f"/statements/NGN/{today()}?business=biz_one"
    changed = signed(f"GET {path}", b"", REQUEST_SECRET)
    assert provider.call("GET", path.replace("one", "two"), **changed)[0] == 401


def test_secrets_can_be_rotated(tmp_path):
    new, newer = OTHER_SECRET, "whsec_bmV3ZXI="
    rotated = {
        "PROVIDER_REQUEST_SECRET": f"{REQUEST_SECRET} {new}",
        "PROVIDER_EVENT_SECRET": f"{EVENT_SECRET} {newer}",
    }
    with running(tmp_path, variables=rotated) as (provider, console):
        data = json.dumps(payout()).encode()
        assert provider.call("PUT", "/instructions/pay_1", data)[0] == 200
        fresh = signed("PUT /instructions/pay_1", data, new)
        assert provider.call("PUT", "/instructions/pay_1", data, **fresh)[0] == 200
        eventually(lambda: console.received)
        _, headers, body = console.received[0]
        for secret in (EVENT_SECRET, newer):
            assert Webhook(secret).verify(body, headers)


def test_it_does_not_start_without_secrets(tmp_path):
    done = subprocess.run(
        [sys.executable, PROGRAM], cwd=tmp_path, env={}, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"Set PROVIDER_REQUEST_SECRET" in done.stderr


# Decimals that decide


def test_44_fails(provider, console):
    assert provider.call("PUT", "/instructions/pay_44", payout("1.44"))[1]["status"] == "accepted"
    eventually(lambda: console.about("pay_44"))
    (event,) = console.about("pay_44")
    assert (event["type"], event["data"]) == ("instruction.failed", {"reason": "rejected_by_bank"})
    said = provider.call("GET", "/instructions/pay_44")[1]
    assert (said["status"], said["reason"]) == ("failed", "rejected_by_bank")


def test_45_waits_until_somebody_decides(provider, console):
    for name, pressed, result in (("pay_45", "Complete", "completed"), ("b_45", "Fail", "failed")):
        provider.call("PUT", f"/instructions/{name}", payout("1.45"))
        time.sleep(1)
        assert state(provider, name) == "accepted"
        assert f"/page/decide/instructions/{name}" in provider.page()
        assert provider.press(f"decide/instructions/{name}", f"do={pressed}") == 200
        assert state(provider, name) == result
        eventually(partial(console.about, name))
        assert f"/page/decide/instructions/{name}" not in provider.page()


def test_46_acts_and_loses_the_answer(provider, console):
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        provider.call("PUT", "/instructions/pay_46", payout("1.46", "biz_lost"))
    for method, body in (("GET", None), ("PUT", payout("1.46", "biz_lost"))):
        status, said = provider.call(method, "/instructions/pay_46", body)
        assert (status, said["status"]) == (200, "completed")
    statement = provider.call("GET", f"/statements/NGN/{today()}?business=biz_lost")[1]
    assert len(statement["movements"]) == 1
    assert console.about("pay_46") == []


def test_47_sends_the_event_twice(provider, console):
    provider.call("PUT", "/instructions/pay_47", payout("1.47"))
    eventually(lambda: len(console.about("pay_47")) == 2)
    first, second = console.about("pay_47")
    assert first == second


def test_48_sends_events_out_of_order(provider, console):
    provider.call("PUT", "/instructions/pay_48", payout("1.48"))
    eventually(lambda: len(console.about("pay_48")) == 2)
    assert [event["sequence"] for event in console.about("pay_48")] == [2, 1]


def test_49_does_nothing_the_first_time(provider):
    path = "/instructions/pay_49"
    assert provider.call("PUT", path, payout("1.49"))[0] == 500
    assert provider.call("GET", path)[0] == 404
    assert provider.call("PUT", path, payout("1.49"))[1]["status"] == "accepted"


def test_the_page_decides_about_the_next_one(provider):
    provider.press("next", "choice=46")
    with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
        provider.call("PUT", "/instructions/pay_next", payout())
    assert provider.call("PUT", "/instructions/pay_after", payout())[1]["status"] == "accepted"


def test_an_instruction_of_the_check_sends_no_event(provider, console):
    provider.call("PUT", "/instructions/chk_1", payout(environment="test"))
    eventually(lambda: state(provider, "chk_1") == "completed")
    provider.call("PUT", "/instructions/pay_later", payout())
    eventually(lambda: console.about("pay_later"))
    assert console.about("chk_1") == []


# Accounts and deposits


def test_accounts_are_issued_at_once(provider):
    numbers = set()
    for count in range(20):
        for currency in ("EUR", "NGN"):
            status, said = provider.call(
                "PUT", f"/accounts/v{count}{currency}", an_account(currency)
            )
            assert (status, said["status"], said["reason"]) == (200, "issued", None)
            assert provider.call("GET", f"/accounts/v{count}{currency}") == (200, said)
            number = said["account_number"]
            numbers.add(number)
            if currency == "EUR":
                assert iban.is_valid(number)
                assert number[4:9] == "99998"
            else:
                assert len(number) == 10
                assert number.isdecimal()
    assert len(numbers) == 40


@pytest.mark.parametrize(("choice", "kind"), [("45", "issued"), ("44", "refused")])
def test_an_account_may_come_later(provider, console, choice, kind):
    name = f"vac_{kind}"
    provider.press("next", f"choice={choice}")
    said = provider.call("PUT", f"/accounts/{name}", an_account())[1]
    assert (said["status"], said["account_number"]) == ("pending", "")
    if choice == "45":
        provider.press(f"decide/accounts/{name}", "do=Complete")
    eventually(lambda: console.about(name))
    (event,) = console.about(name)
    said = provider.call("GET", f"/accounts/{name}")[1]
    assert (event["type"], said["status"]) == (f"account.{kind}", kind)
    if kind == "issued":
        assert event["data"] == {name: said[name] for name in ("account_number", "bank_name")}
    else:
        assert event["data"] == {"reason": "rejected_by_bank"} == {"reason": said["reason"]}


def test_a_deposit_arrives_as_an_event(provider, console):
    provider.call("PUT", "/accounts/vac_1", an_account("EUR", "biz_paid"))
    form = "amount=100.00&payer_name=Zo%C3%AB+%3Cb%3E&source_reference=INV+1"
    assert provider.press("pay/vac_1", form) == 200
    eventually(lambda: console.about("vac_1"))
    (event,) = console.about("vac_1")
    assert event["type"] == "deposit.received"
    assert event["data"].pop("provider_reference").startswith("BNK-")
    assert event["data"] == {
        "amount": "100.00",
        "currency": "EUR",
        "payer_name": "Zoë <b>",
        "source_reference": "INV 1",
    }
    provider.press("pay/vac_1", form)
    eventually(lambda: len(console.about("vac_1")) == 2)
    assert console.about("vac_1")[1]["sequence"] == 2
    assert provider.press("pay/vac_1", form.replace("100.00", "-1")) == 400
    assert provider.press("pay/vac_none", form) == 400
    assert "<b>&gt;" not in provider.page()
    assert "Zoë &lt;b&gt;" in provider.page() or "Zo\\u00eb &lt;b&gt;" in provider.page()


# Statements


def test_a_statement_adds_up(provider):
    business = "biz_statement"
    provider.call("PUT", "/accounts/vac_st", an_account("NGN", business))
    provider.press("pay/vac_st", "amount=100.00&payer_name=A&source_reference=B")
    provider.call("PUT", "/instructions/st_1", payout("12.00", business))
    provider.call("PUT", "/instructions/st_2", payout("5.44", business))
    bought = {"to_amount": "0.500000", "to_currency": "USDT"}
    convert = payout("20.00", business, kind="conversion", details=bought)
    provider.call("PUT", "/instructions/st_3", convert)
    for name in ("st_1", "st_2", "st_3"):
        eventually(partial(is_final, provider, name))

    said = provider.call("GET", f"/statements/NGN/{today()}?business={business}")[1]
    assert (said["business"], said["currency"], said["date"]) == (business, "NGN", today())
    assert (said["opening"], said["closing"]) == ("0.00", "68.00")
    found = {(one["object"], one["account"], one["amount"]) for one in said["movements"]}
    assert found == {
        (None, "vac_st", "100.00"), ("st_1", None, "-12.00"), ("st_3", None, "-20.00"),
    }  # fmt: skip
    total = sum(Decimal(one["amount"]) for one in said["movements"])
    assert Decimal(said["opening"]) + total == Decimal(said["closing"])

    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%d}"
    after = provider.call("GET", f"/statements/NGN/{tomorrow}?business={business}")[1]
    assert (after["opening"], after["closing"], after["movements"]) == ("68.00", "68.00", [])
    before = provider.call("GET", f"/statements/NGN/2026-01-01?business={business}")[1]
    assert (before["opening"], before["closing"], before["movements"]) == ("0.00", "0.00", [])
    other = provider.call("GET", f"/statements/USDT/{today()}?business={business}")[1]
    assert (other["closing"], len(other["movements"])) == ("0.500000", 1)
    assert other["movements"][0]["object"] == "st_3"


@pytest.mark.parametrize(
    "path",
    [
        "NGN/2026-02-30?business=b", "NGN/20261129?business=b", "NGN/x?business=b",
        "NGN/2026-11-29", "NGN/2026-11-29?business=", "NGN/2026-11-29?business=a%20b",
    ],
)  # fmt: skip
def test_a_statement_of_nothing_is_refused(provider, path):
    assert provider.call("GET", f"/statements/{path}")[0] == 400


# Events that are not answered


def test_an_event_is_sent_again_with_growing_pauses(provider, console):
    console.statuses[:] = [500, 401, 302]
    provider.call("PUT", "/instructions/pay_again", payout())
    eventually(lambda: len(console.about("pay_again")) == 4)
    assert len({event["id"] for event in console.about("pay_again")}) == 1
    assert console.statuses == []


@pytest.mark.parametrize("status", [400, 404, 409])
def test_an_event_that_is_refused_is_not_sent_again(provider, console, status):
    name = f"pay_refused_{status}"
    console.statuses[:] = [status]
    provider.call("PUT", f"/instructions/{name}", payout())
    eventually(lambda: f"answer: {status}" in provider.page())
    time.sleep(1.5)
    assert len(console.about(name)) == 1


def test_a_kill_loses_nothing(tmp_path):
    with running(tmp_path, variables={"PROVIDER_DELAY": "3"}) as (provider, console):
        console.statuses[:] = [503] * 20
        for count in range(20):
            provider.call("PUT", f"/instructions/pay_{count}", payout())
        provider.kill()
        assert console.events == []
        provider.start()
        eventually(lambda: not console.statuses)
        provider.kill()
        provider.start()
        eventually(lambda: "will be sent again" not in provider.page())
        assert {event["object"] for event in console.events} == {f"pay_{n}" for n in range(20)}
        assert len({event["id"] for event in console.events}) == 20
        said = provider.call("GET", f"/statements/NGN/{today()}?business=biz_one")[1]
        assert len(said["movements"]) == 20


# Its page


def test_the_page_says_that_it_is_simulated(provider):
    text = provider.page()
    assert "SIMULATED" in text
    for decimals in ("44", "45", "46", "47", "48", "49"):
        assert f".{decimals}  " in text
    assert "script" not in text
    assert "http:" not in text


def test_other_sites_cannot_use_the_page(provider):
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        assert provider.press("next", "choice=44", **headers) in (401, 403)
    assert provider.press("next", "choice=", Origin=provider.url) == 200
