"""Bring each API object to each outcome that has an event.

Each function takes a client and returns the object as the API then shows it.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import time_machine

from api.sandbox.disbursements import FLIGHT_BOOKINGS, SAVINGS_MOVEMENTS
from api.sandbox.models import FlightBooking
from console.accounts.actors import SYSTEM
from console.core import clock
from tests.api.asking import BY_NAME, ROWS, Client

Shown = dict[str, Any]
Way = Callable[[Client], Shown]
# Long enough for everything that is pending in the sandbox.
LATER = timedelta(minutes=1)
WAITS, FAILS = "100.45", "100.44"


def shown(client: Client, path: str, own: str) -> Shown:
    """Return an object from its own URL, or from its list if it has none."""
    if ("GET", f"{path}/{{id}}") in ROWS:
        body = client.read(f"{path}/{own}")
        return {name: value for name, value in body.items() if name != "request_id"}
    return next(one for one in client.read(path)["data"] if one["id"] == own)


def _made(path: str, amount: str, client: Client) -> Shown:
    """Create an object with an amount that stays pending or fails, and read it a minute later."""
    body = client.body_of(ROWS["POST", path]) | {"amount": amount}
    return _later(client, path, body)


def _later(client: Client, path: str, body: Shown) -> Shown:
    made = client.ask(ROWS["POST", path], path, body)
    assert made.status == 201, made.body
    with time_machine.travel(clock.now() + LATER):
        return shown(client, path, made.json["id"])


def _converted(amount: str, client: Client) -> Shown:
    quote = client.ask(ROWS["POST", "/quotes"], "/quotes", {"from": "USD", "to": "NGN",
                                                            "amount": amount})  # fmt: skip
    return _later(client, "/conversions", {"quote_id": quote.json["id"]})


def _paid_people(amount: str, client: Client) -> Shown:
    """Pay 300 people, whose items would be too large for an event."""
    body = client.body_of(BY_NAME["payroll_runs.create"])
    item = body["items"][0]
    others = [item | {"amount": "1.00"}] * 299
    run = _later(client, "/payroll/runs", body | {"items": [item | {"amount": amount}, *others]})
    assert len(run.pop("items")) == 300
    return run


def _saved(amount: str, client: Client) -> Shown:
    """Move money to savings. The API shows a movement only in the response that creates it."""
    made = client.do("savings.deposit", client.id_in("/savings"), {"amount": amount}).json
    del made["request_id"]
    if made["status"] == "failed":
        return made
    later = clock.now() + LATER
    with time_machine.travel(later, tick=False):
        SAVINGS_MOVEMENTS.settle_due()
    return made | {"status": "completed", "completed_at": clock.iso(later)}


def _paid_by_card(amount: str, client: Client) -> Shown:
    made = client.do("cards.pay", client.id_in("/cards"), {"amount": amount}).json
    with time_machine.travel(clock.now() + LATER):
        return shown(client, "/card-transactions", made["id"])


def _flight_failed(client: Client) -> Shown:
    """Create a booking that fails. No offer has a price that makes the sandbox refuse it."""
    booking = FlightBooking.objects.get(public_id=client.id_in("/flights/bookings"))
    again = FlightBooking(
        business=booking.business, environment="sandbox", currency="USD", amount=10_044,
        offer_id=booking.offer_id, flight=booking.flight, passengers=booking.passengers,
    )  # fmt: skip
    FLIGHT_BOOKINGS.create(again, tries=0, by=SYSTEM)
    return shown(client, "/flights/bookings", again.public_id)


def _flight_confirmed(client: Client) -> Shown:
    return shown(client, "/flights/bookings", client.id_in("/flights/bookings"))


def _identified(client: Client) -> Shown:
    body = client.body_of(BY_NAME["identity_verifications.create"]) | {"number": "A00123004"}
    return _later(client, "/identity-verifications", body)


def _moved(path: str, actions: tuple[str, ...], client: Client, **made_with: str) -> Shown:
    own = client.id_in(path, **made_with)
    for action in actions:
        assert client.do(action, own).status == 200, action
    return shown(client, path, own)


def _account(*actions: str) -> Way:
    names = tuple(f"virtual_accounts.{action}" for action in actions)
    return partial(_moved, "/virtual-accounts", names)


def _card(*actions: str, **made_with: Any) -> Way:
    names = tuple(f"cards.{action}" for action in actions)
    return partial(_moved, "/cards", names, **made_with)


def _both(word: str, way: Callable[[str, Client], Shown]) -> dict[str, Way]:
    return {f"{word}.completed": partial(way, WAITS), f"{word}.failed": partial(way, FAILS)}


OUTCOMES: dict[str, Way] = {
    **_both("payout", partial(_made, "/payouts")),
    **_both("transfer", partial(_made, "/transfers")),
    **_both("refund", partial(_made, "/refunds")),
    **_both("otc_order", partial(_made, "/otc-orders")),
    **_both("crypto_withdrawal", partial(_made, "/crypto/withdrawals")),
    **_both("digital_service_order", partial(_made, "/digital-services/orders")),
    **_both("conversion", _converted),
    **_both("payroll_run", _paid_people),
    **_both("savings_movement", _saved),
    **_both("card_transaction", _paid_by_card),
    "flight_booking.confirmed": _flight_confirmed,
    "flight_booking.failed": _flight_failed,
    "identity_verification.completed": _identified,
    "card.created": _card(),
    "card.active": _card("activate", card_type="physical"),
    "card.frozen": _card("freeze"),
    "card.terminated": _card("terminate"),
    "virtual_account.pending": _account("require_action", "resubmit"),
    "virtual_account.requires_action": _account("require_action"),
    "virtual_account.active": _account("issue"),
    "virtual_account.frozen": _account("issue", "freeze"),
    "virtual_account.closed": _account("close"),
    "virtual_account.failed": _account("fail"),
}
