"""A client that calls operations using only the operation table and its examples."""

import itertools
import json
from typing import Any

from api.operations import Operation
from api.payments.models.owned_object import OwnedObject
from api.v1.router import OPERATIONS
from console.catalogue.definitions import PRODUCTS
from tests.api.calling import Caller, Reply
from tests.apikeys import world

ROWS = {(row.method, row.path): row for row in OPERATIONS}
BY_NAME = {row.name: row for row in OPERATIONS}
EXAMPLES = {row.name: dict(row.example.body) for row in OPERATIONS if row.example.body}

_numbers = itertools.count(1)
# Where to find the objects whose ids an example contains.
NAMED = {
    "beneficiary_id": "/beneficiaries",
    "cardholder_id": "/cardholders",
    "customer_id": "/customers",
    "offer_id": "/flights/offers",
    "quote_id": "/quotes",
}

_ISSUED = ["virtual_accounts.issue"]
# Preparation of an object before the operation is called on it.
BEFORE = {
    "cards.unfreeze": ["cards.freeze"],
    "savings.withdraw": ["savings.deposit"],
    "virtual_accounts.resubmit": ["virtual_accounts.require_action"],
    "virtual_accounts.freeze": _ISSUED,
    "virtual_accounts.unfreeze": [*_ISSUED, "virtual_accounts.freeze"],
    "virtual_accounts.deposit": _ISSUED,
    "checkout_sessions.accept_late_payment": ["checkout_sessions.expire"],
    "checkout_sessions.return_late_payment": ["checkout_sessions.expire"],
    "sub_accounts.suspend": ["sub_accounts.activate"],
    "sub_accounts.lift": ["sub_accounts.activate", "sub_accounts.suspend"],
}


def a_client() -> str:
    """Return the key of a business with every scope in the sandbox."""
    scopes = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
    return world.a_key(world.a_grant(products=tuple(PRODUCTS)), scopes=scopes)[1]


# How to create the operation's object where the example's cannot be used.
MADE_WITH = {"cards.activate": {"card_type": "physical"}}


def faults(reply: Reply) -> list[tuple[str, str]]:
    """Return what a 422 points to, and the code of each mistake."""
    assert (reply.status, reply.code) == (422, "VALIDATION_ERROR"), reply.body
    said = reply.json.get("meta", reply.json)
    return [(fault["pointer"], fault["code"]) for fault in said["errors"]]


def pointed(reply: Reply) -> list[str]:
    """Return what a 422 points to."""
    return [pointer for pointer, _ in faults(reply)]


def kept_before(one: OwnedObject, **changes: Any) -> str:
    """Return the ID of a copy of an object as it could be made before a rule changed."""
    anew = type(one)._meta.get_field("public_id").get_default()
    for name, value in (changes | {"pk": None, "public_id": anew}).items():
        setattr(one, name, value)
    one.save(force_insert=True)
    return one.public_id


def without_request(body: dict[str, Any]) -> dict[str, Any]:
    """Return a response without the ID of its call."""
    return {name: value for name, value in body.items() if name != "request_id"}


class Client:
    """Creates what an operation needs before calling it."""

    def __init__(
        self, api: Caller, plain: str, *, first_key: int = 0, root: str = "/sandbox/v1"
    ) -> None:
        self.api, self.plain, self.root = api, plain, root
        self._keys = (f"client-{number:06}" for number in itertools.count(first_key))

    def ask(self, row: Operation, path: str, body: Any = None, *, key: str = "") -> Reply:
        """Call an operation with a valid body and an Idempotency-Key of its own."""
        more: dict[str, Any] = {}
        raw = b""
        if row.body:
            raw = json.dumps(self.body_of(row) if body is None else body).encode()
            key = key or next(self._keys)
            more = {"CONTENT_TYPE": "application/json", "HTTP_IDEMPOTENCY_KEY": key}
        return self.api.call(row.method, f"{self.root}{path}", self.plain, body=raw, **more)

    def read(self, path: str, query: str = "") -> dict[str, Any]:
        """Return the response to a path."""
        return self.api.get(f"{self.root}{path}", self.plain, query).json

    def path_of(self, row: Operation) -> str:
        """Return the path of the row's example, with ids that exist."""
        return self.with_own_ids(row, row.example_path)

    def body_of(self, row: Operation) -> dict[str, Any]:
        """Return the body of the row's example, with ids that exist."""
        body: dict[str, Any] = json.loads(self.with_own_ids(row, json.dumps(row.example.body)))
        if row.name == "webhook_endpoints.create":
            # Two endpoints cannot share a URL, and a host may have only few unverified ones.
            body["url"] = f"https://hooks-{next(_numbers)}.example.com/events"
        return body

    def with_own_ids(self, row: Operation, text: str) -> str:
        """Replace the ids in the row's example by the caller's own."""
        before = row.path.partition("/{id}")[0].removeprefix("/test-helpers")
        places = dict.fromkeys(row.example.names.values(), before)
        body = row.example.body or {}
        places |= {body[name]: place for name, place in NAMED.items() if name in body}
        places.pop(row.example.names.get("payment_id", ""), None)
        for named, place in places.items():
            if named in text:
                own = self.id_in(place, **MADE_WITH.get(row.name, {}) if place == before else {})
                text = text.replace(named, own)
                if place == before:
                    self.prepare(row, own)
        if (payment := body.get("payment_reference", "")) and payment in text:
            text = text.replace(payment, self.a_payment())
        if (late := row.example.names.get("payment_id", "")) in text and late:
            text = text.replace(late, self.a_late_payment(own))
        return text

    def a_late_payment(self, session: str) -> str:
        """Return the id of a payment to a session that has ended."""
        arrived = self.do("checkout_sessions.pay", session, {"amount": "10.00"})
        return str(arrived.json["payment"]["id"])

    def a_payment(self) -> str:
        """Return the reference of a settled payment of 250.00 USD."""
        own = self.ask(ROWS["POST", "/virtual-accounts"], "/virtual-accounts", {"currency": "USD"})
        self.do("virtual_accounts.issue", own.json["id"])
        arrived = self.do("virtual_accounts.deposit", own.json["id"], {"amount": "250.00"})
        return str(arrived.json["provider_reference"])

    def prepare(self, row: Operation, own: str) -> None:
        """Bring a new object into the state the operation needs."""
        for name in BEFORE.get(row.name, ()):
            self.do(name, own)

    def do(self, name: str, own: str, body: Any = None) -> Reply:
        """Call the named operation on an object, with the example's body by default."""
        row = BY_NAME[name]
        path = row.path.replace("{id}", own)
        return self.ask(row, path, row.example.body if body is None else body)

    def id_in(self, path: str, **changes: Any) -> str:
        """Return the id of a new object under a path, or of the newest if none can be created."""
        if path == "/webhook-deliveries":
            return str(
                self.do("webhook_endpoints.ping", self.id_in("/webhook-endpoints")).json["id"]
            )
        if path == "/webhook-verifications":
            endpoint = self.id_in("/webhook-endpoints")
            return str(self.do("webhook_endpoints.verify", endpoint).json["id"])
        if path == "/webhook-replays":
            endpoint = self.id_in("/webhook-endpoints")
            return str(self.do("webhook_endpoints.replay", endpoint).json["id"])
        if path == "/events":
            self.do("virtual_accounts.issue", self.id_in("/virtual-accounts"))
        if making := ROWS.get(("POST", path)):
            made = self.ask(making, path, self.body_of(making) | changes).json
            return str(made["id"] if "id" in made else made["data"]["reference"])
        return str(self.ask(ROWS["GET", path], path).json["data"][0]["id"])
