"""GET /checkout/<id>/state: its members, ETag, long polling and limits."""

import threading
import time
from datetime import timedelta
from typing import Any

from django.db import connection

from api.hosted import state
from api.payments.models import Balance, CheckoutSession, Deposit
from console.accounts import limits
from console.accounts.limits import Rate
from console.accounts.models import Business
from console.core import clock
from tests import factories
from tests.api.hosted.payers import Payer, open_session, pay


def end_time(session_id: str) -> None:
    """Let the session's time be over, with nobody having noticed yet."""
    session = CheckoutSession.objects.get(public_id=session_id)
    earlier = session.created_at - timedelta(hours=2)
    CheckoutSession.objects.filter(pk=session.pk).update(expires_at=earlier)


def test_it_says_what_may_change_and_nothing_else(shop, payer):
    session = open_session(shop)
    pay(shop, session, "250.00")
    said = payer.state(session["id"]).json()
    (payment,) = said.pop("payments")
    assert payment.keys() == {"amount", "seen_at"}
    assert payment["amount"] == "250.00"
    assert said.pop("server_time")
    assert said == {
        "status": "awaiting_payment",
        "amount": "1250.00",
        "amount_outstanding": "1000.00",
        "outstanding_amount_minor": 100_000,
        "currency": "NGN",
        "expires_at": session["expires_at"],
    }


def test_no_read_shows_an_open_session_past_its_end(shop, payer):
    session = open_session(shop)["id"]
    end_time(session)
    assert payer.state(session).json()["status"] == "expired"
    assert CheckoutSession.objects.get(public_id=session).status == "expired"

    another = open_session(shop)["id"]
    end_time(another)
    assert "Expired" in payer.get(f"/checkout/{another}").text


def test_a_confirmed_payment_counts_when_somebody_looks(shop, payer):
    session = open_session(shop, method="crypto", currency="USDC", amount="25.00")
    pay(shop, session, "25.00", confirmations=3)
    assert payer.state(session["id"]).json()["status"] == "awaiting_payment"
    assert "Waiting for confirmations" in payer.get(f"/checkout/{session['id']}").text

    Deposit.objects.update(confirms_at=CheckoutSession.objects.get().created_at)
    assert payer.state(session["id"]).json()["status"] == "paid"


def test_a_page_invites_nobody_to_pay_what_is_confirming(shop, payer):
    session = open_session(shop, method="crypto", currency="USDC", amount="25.00")
    address = session["instructions"]["address"]
    pay(shop, session, "20.00", confirmations=12)
    page = payer.get(f"/checkout/{session['id']}").text
    assert "Still to pay" in page
    assert 'data-copy="5.000000"' in page
    assert "Amount to pay" not in page

    pay(shop, session, "5.00", confirmations=12)
    for path in ("", "/embed"):
        page = payer.get(f"/checkout/{session['id']}{path}").text
        assert "Received, confirming" in page
        assert "Do not pay again" in page
        for invitation in ("Amount to pay", "Still to pay", address, "data-copy", "data-left"):
            assert invitation not in page


def test_an_etag_is_strong_and_changes_with_the_state_alone(shop, payer):
    session = open_session(shop)
    etag = payer.state(session["id"]).headers["ETag"]
    assert not etag.startswith("W/")
    time.sleep(0.01)  # server_time differs
    assert payer.state(session["id"]).headers["ETag"] == etag
    for sent in (etag, f'"other", {etag}', "*", f"W/{etag}"):
        answer = payer.state(session["id"], headers={"if-none-match": sent})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["ETag"] == etag
    for sent in ("", "nonsense", '"', etag[:-1], "x" * 5000):
        answer = payer.state(session["id"], headers={"if-none-match": sent})
        assert answer.status_code == 200
    pay(shop, session, "1.00")
    assert payer.state(session["id"], headers={"if-none-match": etag}).status_code == 200
    page = payer.get(f"/checkout/{session['id']}").text
    assert payer.state(session["id"]).headers["ETag"].strip('"') in page


def test_a_malformed_wait_is_refused_in_words(shop, payer):
    session = open_session(shop)["id"]
    for wait in ("-1", "26", "1.0", "", "+1", "1e1", "abc", "٣", "100", "%00", "1%20", "0x1"):
        answer = payer.get(f"/checkout/{session}/state?wait={wait}")
        assert answer.status_code == 400
        assert "from 0 to 25" in answer.json()["error"]


def waiting(session: str, seconds: int = 20) -> tuple[threading.Thread, list[Any]]:
    """Ask in a thread for the next state."""
    payer, found = Payer(), list[Any]()
    etag = payer.state(session).headers["ETag"]

    def ask() -> None:
        began = time.monotonic()
        path = f"/checkout/{session}/state?wait={seconds}"
        answer = payer.get(path, headers={"if-none-match": etag})
        found.extend([answer, time.monotonic() - began])
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, found


def test_a_payment_ends_the_wait(shop):
    session = open_session(shop)
    thread, found = waiting(session["id"])
    time.sleep(1.5)
    assert not found
    pay(shop, session, "1250.00")
    thread.join(timeout=15)
    answer, took = found
    assert (answer.status_code, answer.json()["status"]) == (200, "paid")
    assert took < 15


def test_the_end_of_the_time_ends_the_wait(shop):
    session = open_session(shop)
    CheckoutSession.objects.update(expires_at=clock.now() + timedelta(seconds=1))
    thread, found = waiting(session["id"])
    thread.join(timeout=18)
    answer, _ = found
    assert answer.json()["status"] == "expired"


def test_a_wait_without_a_change_ends_unchanged(shop):
    session = open_session(shop)
    thread, found = waiting(session["id"], seconds=2)
    thread.join()
    answer, took = found
    assert answer.status_code == 304
    assert took >= 2


def test_a_wait_holds_no_transaction_and_asks_once_a_second(shop):
    session = open_session(shop)
    thread, found = waiting(session["id"], seconds=2)
    busy = []
    while not found:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND state LIKE 'idle in transaction%'"
            )
            busy.append(cursor.fetchone()[0])
        time.sleep(0.05)
    thread.join()
    assert len(busy) > 10
    assert not any(busy)


def test_few_may_wait_and_the_others_are_answered_at_once(shop):
    session = open_session(shop)
    threads = [waiting(session["id"], seconds=4) for _ in range(state.MOST_WAITING + 2)]
    for thread, _ in threads:
        thread.join()
    times = sorted(found[1] for _, found in threads)
    assert {found[0].status_code for _, found in threads} == {304}
    assert times[1] < 3
    assert times[2] >= 4
    # The places are free again.
    thread, found = waiting(session["id"], seconds=2)
    thread.join()
    assert found[1] >= 2


def test_an_ended_session_is_not_waited_for(shop):
    session = open_session(shop)
    pay(shop, session, "1250.00")
    thread, found = waiting(session["id"])
    thread.join(timeout=5)
    assert found[1] < 5


def test_an_address_that_asks_too_often_is_told_when_to_return(
    shop, monkeypatch, stopped_clock, payer
):
    session = open_session(shop)["id"]
    monkeypatch.setattr("api.hosted.reading.CHECKOUT_READS_PER_ADDRESS", Rate(tries=3, seconds=60))
    paths = [f"/checkout/{one}" for one in (session, f"{session}/state", f"{session}x")]
    assert [payer.get(path).status_code for path in paths] == [200, 200, 404]
    for path in paths:
        answer = payer.get(path)
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) == 20
        assert "nav" not in answer.text
    assert Payer().state(session).status_code == 200
    assert limits.CHECKOUT_READS_PER_ADDRESS.tries == 600


def test_a_suspension_ends_the_wait_and_redraws_the_page(shop, payer):
    session = open_session(shop)
    etag = payer.state(session["id"]).headers["ETag"]
    factories.change(Business.objects.all(), status="suspended")
    again = payer.state(session["id"], headers={"If-None-Match": etag})
    assert again.status_code == 200
    assert again.headers["ETag"] != etag


def test_a_stopped_balance_breaks_no_page_and_no_list(shop, payer):
    session = open_session(shop)
    pay(shop, session, "250.00")
    end_time(session["id"])
    factories.change(Balance.objects.all(), stopped_at=clock.now())

    assert payer.get(f"/checkout/{session['id']}").status_code == 200
    assert payer.state(session["id"]).json()["status"] == "awaiting_payment"
    assert shop.read("/checkout-sessions")["data"][0]["status"] == "awaiting_payment"
    factories.change(Balance.objects.all(), stopped_at=None)
    assert payer.state(session["id"]).json()["status"] == "underpaid"
