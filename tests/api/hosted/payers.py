"""Payers on the checkout host, and the shops that they pay."""

import itertools
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.test import Client as Browser

from tests.api.asking import ROWS, Client, a_client
from tests.api.calling import Caller

HOST = urlsplit(settings.CHECKOUT_ORIGIN).hostname or ""
CUSTOMER = {"name": "Zainab Payer-Canary", "email": "canary@payer.example", "phone": "+2348012345"}
_numbers = itertools.count(1)


class Payer(Browser):
    """A browser without cookies on the checkout host, with an address of its own."""

    def __init__(self, **more: Any) -> None:
        number = next(_numbers)
        address = f"10.2.{number // 250}.{number % 250 + 1}"
        super().__init__(headers={"host": HOST}, REMOTE_ADDR=address, **more)

    def state(self, session: str, **more: Any) -> Any:
        return self.get(f"/checkout/{session}/state", **more)


def a_shop(api: Caller | None = None) -> Client:
    """Return the client of a business that may open sessions."""
    return Client(api or Caller(), a_client())


def open_session(shop: Client, **changes: Any) -> dict[str, Any]:
    """Open a session with all that a shop can say about a payer."""
    body = {
        "amount": "1250.00",
        "currency": "NGN",
        "method": "bank_transfer",
        "reference": "REFERENCE-CANARY",
        "description": "Two espresso grinders",
        "customer": CUSTOMER,
        "success_url": "https://shop.example/thanks",
        "cancel_url": "https://shop.example/basket",
        "metadata": {"note": "metadata-canary"},
    }
    row = ROWS["POST", "/checkout-sessions"]
    return shop.ask(row, row.path, body | changes).json


def pay(shop: Client, session: dict[str, Any], amount: str, **more: Any) -> dict[str, Any]:
    """Simulate a payment and return the session."""
    body = {"amount": amount, **more}
    said = shop.do("checkout_sessions.pay", session["id"], body).json
    assert "session" in said, said
    return said["session"]
