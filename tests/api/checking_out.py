"""Checkout sessions as a client of the API opens, pays and reads them."""

import json
from datetime import timedelta
from typing import Any

from django.db.models import F

from api.payments.models import Balance, CheckoutSession
from apikeys.models import ApiKey
from apikeys.webhooks.models import PublicEvent
from tests.api.asking import BY_NAME, Client

CREATE = BY_NAME["checkout_sessions.create"]
PATH = "/checkout-sessions"
HELPERS = f"/test-helpers{PATH}"
BODY = {"amount": "1500.00", "currency": "NGN", "method": "bank_transfer"}


def opened(client: Client, **changes: Any) -> dict[str, Any]:
    reply = client.ask(CREATE, PATH, BODY | changes)
    assert reply.status == 201, reply.body
    return reply.json


def pay(client: Client, session: dict[str, Any], amount: str, **more: Any) -> Any:
    return client.do("checkout_sessions.pay", session["id"], {"amount": amount} | more)


def act(client: Client, path: str) -> Any:
    return client.api.call("POST", f"/sandbox/v1{path}", client.plain)


def read(client: Client, session: dict[str, Any]) -> dict[str, Any]:
    return client.read(f"{PATH}/{session['id']}")


def events(session: dict[str, Any]) -> list[dict[str, Any]]:
    rows = PublicEvent.objects.filter(resource_id=session["id"]).order_by("sequence")
    bodies = [json.loads(bytes(row.body)) for row in rows]
    assert [one["sequence"] for one in bodies] == list(range(1, len(bodies) + 1))
    return bodies


def kinds(session: dict[str, Any]) -> list[str]:
    return [one["type"].removeprefix("checkout_session.") for one in events(session)]


def balance(client: Client, currency: str = "NGN") -> tuple[int, int]:
    business = ApiKey.objects.get(public_id=client.plain.partition(":")[0]).business
    found = Balance.objects.get(business=business, environment="sandbox", currency=currency)
    return found.available, found.pending


def overdue(session: dict[str, Any]) -> None:
    past = F("expires_at") - timedelta(days=8)
    CheckoutSession.objects.filter(public_id=session["id"]).update(expires_at=past)
