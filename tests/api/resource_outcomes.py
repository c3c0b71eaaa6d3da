"""Bring each API object to each outcome that has an event.

Each function takes a client and returns the object as the API then shows it.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import time_machine

from api.payments.disbursements import FLIGHT_BOOKINGS, SAVINGS_MOVEMENTS
from api.payments.models import FlightBooking
from console.accounts.actors import SYSTEM
from console.core import clock
from tests.api.asking import BY_NAME, ROWS, Client, without_request
from tests.api.calling import Reply

Shown = dict[str, Any]
Way = Callable[[Client], Shown]
Ask = Callable[[Client, str], Reply]
# Long enough for everything that is pending in the sandbox.
LATER = timedelta(minutes=1)
WAITS, FAILS = "100.45", "100.44"


def shown(client: Client, path: str, own: str) -> Shown:
    """Return an object from its own URL, or from its list if it has none."""
    if ("GET", f"{path}/{{id}}") in ROWS:
        return without_request(client.read(f"{path}/{own}"))
    return next(one for one in client.read(path)["data"] if one["id"] == own)


# Disbursements -----------------------------------------------------------------------------------


def _post(path: str, client: Client, amount: str) -> Reply:
    row = ROWS["POST", path]
    return client.ask(row, path, client.body_of(row) | {"amount": amount})


def _convert(client: Client, amount: str) -> Reply:
    quoted = {"from": "USD", "to": "NGN", "amount": amount}
    quote = client.ask(ROWS["POST", "/quotes"], "/quotes", quoted).json["id"]
    return client.ask(ROWS["POST", "/conversions"], "/conversions", {"quote_id": quote})


def _pay_people(client: Client, amount: str) -> Reply:
    """Pay 300 people, whose items would be too large for an event."""
    row = BY_NAME["payroll_runs.create"]
    body = client.body_of(row)
    item = body["items"][0]
    others = [item | {"amount": "1.00"}] * 299
    today = {"pay_date": clock.now().date().isoformat()}
    return client.ask(row, row.path, body | today | {"items": [item | {"amount": amount}, *others]})


def _save(client: Client, amount: str) -> Reply:
    return client.do("savings.deposit", client.id_in("/savings"), {"amount": amount})


def _pay_by_card(client: Client, amount: str) -> Reply:
    return client.do("cards.pay", client.id_in("/cards"), {"amount": amount})


_POSTED = {
    "payout": "/payouts",
    "transfer": "/transfers",
    "refund": "/refunds",
    "otc_order": "/otc-orders",
    "crypto_withdrawal": "/crypto/withdrawals",
    "digital_service_order": "/digital-services/orders",
}
# Where each disbursement is read, and how to ask for one of an amount.
ASKED: dict[str, tuple[str, Ask]] = {
    **{word: (path, partial(_post, path)) for word, path in _POSTED.items()},
    "conversion": ("/conversions", _convert),
    "payroll_run": ("/payroll/runs", _pay_people),
    "savings_movement": ("", _save),
    "card_transaction": ("/card-transactions", _pay_by_card),
}


def _disbursed(word: str, amount: str, client: Client) -> Shown:
    """Ask for an amount that stays pending or fails, and read the object a minute later."""
    path, ask = ASKED[word]
    made = ask(client, amount)
    assert made.json["status"] == ("pending" if amount == WAITS else "failed"), made.body
    if word == "savings_movement":
        return _saved(without_request(made.json))
    with time_machine.travel(clock.now() + LATER):
        found = shown(client, path, made.json["id"])
    # Events leave them out.
    found.pop("items", None)
    return found


def _saved(made: Shown) -> Shown:
    """Complete a movement, which the API shows only in the response that creates it."""
    if made["status"] == "failed":
        return made
    later = clock.now() + LATER
    with time_machine.travel(later, tick=False):
        SAVINGS_MOVEMENTS.settle_due()
    return made | {"status": "completed", "completed_at": clock.iso(later)}


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


# Other objects -----------------------------------------------------------------------------------


def _identified(client: Client) -> Shown:
    row = BY_NAME["identity_verifications.create"]
    made = client.ask(row, row.path, client.body_of(row) | {"number": "A00123004"}).json
    with time_machine.travel(clock.now() + LATER):
        return shown(client, row.path, made["id"])


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


OUTCOMES: dict[str, Way] = {
    **{f"{word}.completed": partial(_disbursed, word, WAITS) for word in ASKED},
    **{f"{word}.failed": partial(_disbursed, word, FAILS) for word in ASKED},
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
