"""A live business with money, as its provider and its engineers see it."""

import itertools
import json
from typing import Any

from api.payments.models import VirtualAccount
from api.providers import signatures
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.core import clock
from console.events import outbox
from console.events.models import EventDelivery
from tests.api.calling import Caller, Reply
from tests.api.live.scripted import NAME, Scripted
from tests.apikeys import world

SCOPES = tuple(
    f"{product}:{word}"
    for product in (
        *("payouts", "virtual_accounts", "refunds", "payroll"),
        *("transfers", "beneficiaries", "conversions", "quotes"),
        *("cards", "cardholders"),
    )
    for word in ("read", "write")
)
PRODUCTS = (
    "balances",
    "payouts",
    "virtual_accounts",
    "refunds",
    "payroll",
    "cards",
    "remittance",
    "conversions",
    "rates",
)
_numbers = itertools.count(1)


def a_live_key() -> tuple[Grant, str]:
    """Return a live grant, and the credential of a key with the scopes that providers serve."""
    grant = world.a_grant(environment=Environment.LIVE, products=PRODUCTS)
    read_only = ("balances:read", "rates:read", "card_transactions:read")
    return grant, world.a_key(grant, scopes=(*read_only, *SCOPES))[1]


def work() -> None:
    """Let the workers do everything that is due about instructions and provider events."""
    while True:
        due = EventDelivery.objects.filter(
            done_at=None,
            listener__in=("payments.instruct", "payments.provider", "payments.screen"),
        )
        found = [delivery for delivery in due.order_by("pk") if outbox.handle(delivery.pk)]
        if not found:
            return


def an_account(api: Caller, plain: str, provider: Scripted, currency: str = "NGN") -> str:
    """Return the ID of a live account that its provider has issued."""
    made = post_account(api, plain, currency)
    provider.answers.append(
        (
            200,
            {
                "id": made,
                "status": "issued",
                "account_number": f"99{next(_numbers):08}",
                "bank_name": "Test Bank",
            },
        )
    )
    work()
    assert VirtualAccount.objects.get(public_id=made).status == "active"
    return made


def post_account(api: Caller, plain: str, currency: str = "NGN") -> str:
    """Request a live account, and return its ID."""
    made = api.post(
        "/v1/virtual-accounts", plain, {"currency": currency}, HTTP_IDEMPOTENCY_KEY=_key()
    )
    assert made.status == 201, made.body
    return made.json["id"]


def an_event(
    provider: Scripted, type_: str, about: str, data: dict[str, Any], **more: Any
) -> tuple[bytes, dict[str, str]]:
    """Return a provider's event and the headers that sign it.

    `more` replaces members of it, the `secret`, and `headers`.
    """
    secret, headers = more.pop("secret", provider.event_secret), more.pop("headers", {})
    event: dict[str, Any] = {
        "id": f"evt_{next(_numbers)}",
        "sequence": next(_numbers),
        "type": type_,
        "object": about,
        "occurred_at": clock.iso(clock.now()),
        "data": data,
    } | more
    body = json.dumps(event).encode()
    return body, signatures.headers(secret, event["id"], body) | headers


def send(api: Caller, body: bytes, headers: dict[str, str], name: str = NAME) -> Reply:
    """Send an event to us."""
    as_wsgi = {f"HTTP_{key.upper().replace('-', '_')}": value for key, value in headers.items()}
    place = f"/providers/{name}/events"
    return api.call("POST", place, body=body, CONTENT_TYPE="application/json", **as_wsgi)


def tell(
    api: Caller, provider: Scripted, type_: str, about: str, data: dict[str, Any], **more: Any
) -> Reply:
    """Send a provider's event, with `more` as in `an_event`."""
    name = more.pop("name", provider.name)
    return send(api, *an_event(provider, type_, about, data, **more), name)


def money_in(
    api: Caller, provider: Scripted, account: str, amount: str, currency: str = "NGN", **more: Any
) -> Reply:
    """Let money arrive on an account, perhaps from a `payer`, and let the workers book it."""
    reference = more.pop("reference", f"BNK-{next(_numbers)}")
    data = {
        "amount": amount,
        "currency": currency,
        "provider_reference": reference,
        "payer_name": more.pop("payer", "Quayside Trading Ltd"),
    }
    reply = tell(api, provider, "deposit.received", account, data, **more)
    work()
    return reply


def pay(api: Caller, plain: str, amount: str = "100.00", **more: Any) -> Reply:
    """Request a live payout."""
    body = {
        "amount": amount,
        "currency": "NGN",
        "bank_account": {
            "account_name": "Ada Obi",
            "country": "NG",
            "account_number": "0123456784",
            "bank_code": "044",
        },
    } | more
    return api.post("/v1/payouts", plain, body, HTTP_IDEMPOTENCY_KEY=_key())


def left(api: Caller, plain: str) -> tuple[str, str]:
    """Return the available and reserved naira of the live balance."""
    (one,) = api.get("/v1/balances", plain, "currency=NGN").json["data"]
    return one["available"], one["reserved"]


def read(api: Caller, plain: str, payout: str) -> dict[str, Any]:
    return api.get(f"/v1/payouts/{payout}", plain).json


def read_all(api: Caller, plain: str, place: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(place, plain).json["data"]
    return found


def _key() -> str:
    return f"live-key-{next(_numbers):08}"
