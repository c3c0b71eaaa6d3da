"""The order in which a product's samples work, and the IDs each needs from earlier responses."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from api.operations import Operation
from api.v1.router import OPERATIONS

# The format of generated IDs and references.
_MADE_ID = re.compile(r"[a-z]{2,3}_[\w-]+")
# Where responses contain them.
_REFERENCE = ("provider_reference",)
_FOUND = (("id",), _REFERENCE, ("payment", "id"), ("data", "reference"), ("data", 0, "id"))
# Orders that differ from: create, read, change, delete. An operation may appear twice if later
# calls need another object, or one created with a different body.
_ORDERS: dict[str, tuple[str | tuple[str, dict[str, Any]], ...]] = {
    "customers": (
        *("customers.create", "customers.list", "customers.read", "customers.change"),
        *("sub_accounts.create", "sub_accounts.activate", "sub_accounts.suspend"),
        *("sub_accounts.lift", "sub_accounts.close"),
        *(("sub_accounts.create", {"email": "stall@shop.example"}), "sub_accounts.reject"),
    ),
    "virtual_accounts": (
        *("virtual_accounts.create", "virtual_accounts.list", "virtual_accounts.read"),
        *("virtual_accounts.require_action", "virtual_accounts.resubmit"),
        *("virtual_accounts.issue", "virtual_accounts.deposit", "virtual_accounts.freeze"),
        *("virtual_accounts.unfreeze", "virtual_accounts.close"),
        *("virtual_accounts.create", "virtual_accounts.fail"),
    ),
    "checkout": (
        *("checkout_sessions.create", "checkout_sessions.list", "checkout_sessions.read"),
        *("checkout_sessions.pay", "checkout_sessions.create", "checkout_sessions.expire"),
        *("checkout_sessions.pay", "checkout_sessions.accept_late_payment"),
        *("checkout_sessions.pay", "checkout_sessions.return_late_payment"),
        *("checkout_sessions.create", "checkout_sessions.cancel", "orders.create"),
    ),
    "cards": (
        *("cardholders.create", "cardholders.list", "cardholders.read"),
        *("cards.create", "cards.list", "cards.read", "cards.pay", "card_transactions.list"),
        *("cards.freeze", "cards.unfreeze", "cards.terminate"),
        *(("cards.create", {"card_type": "physical"}), "cards.activate"),
    ),
    "webhooks": (
        *("webhook_endpoints.create", "webhook_endpoints.list", "webhook_endpoints.read"),
        *("webhook_endpoints.verify", "webhook_verifications.read"),
        *("webhook_endpoints.ping", "webhook_endpoints.deliveries"),
        *("webhook_deliveries.read", "webhook_deliveries.replay"),
        *("virtual_accounts.create", "virtual_accounts.issue", "events.list", "events.read"),
        *("webhook_endpoints.replay", "webhook_replays.read", "webhook_endpoints.rotate_secret"),
        *("webhook_endpoints.change", "webhook_endpoints.delete"),
    ),
    "refunds": (
        *("virtual_accounts.create", "virtual_accounts.issue", "virtual_accounts.deposit"),
        *("refunds.create", "refunds.list", "refunds.read"),
    ),
    "savings": (
        *("savings.create", "savings.list", "savings.deposit", "savings.read"),
        "savings.withdraw",
    ),
}


@dataclass(frozen=True)
class SampleVariable:
    """An environment variable for an ID at the path `found` in a response of `operation`."""

    name: str
    operation: Operation
    found: tuple[str | int, ...]

    @property
    def path(self) -> str:
        """Return the ID's path in the notation of JavaScript: `data[0].id`."""
        return "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in self.found)[1:]

    def value(self, answer: Any) -> str:
        """Return the ID from a response of the operation."""
        return str(_inside(answer, self.found))


@dataclass(frozen=True)
class Step:
    """One call of a walk-through; `changed` are the body fields that differ from the sample."""

    operation: Operation
    changed: Mapping[str, Any]


def needed_by(operation: Operation) -> dict[str, SampleVariable]:
    """Return the variables that an operation's sample needs, by the ID that each replaces."""
    ids = {*operation.example.names.values(), *_texts(operation.example.body)}
    return {made: variable for made, variable in _variables().items() if made in ids}


def made_by(operation: Operation) -> list[SampleVariable]:
    """Return the variables whose values come from an operation's response."""
    return [one for one in _variables().values() if one.operation.name == operation.name]


@cache
def of_product(product: str) -> tuple[Step, ...]:
    """Return a product's calls in an order in which each one succeeds."""
    steps: list[Step] = []
    for name in _ORDERS.get(product) or _usual_order(product):
        name, changed = (name, {}) if isinstance(name, str) else name
        operation = _by_name()[name]
        if changed:
            body = {**(operation.example.body or {}), **changed}
            operation = replace(operation, example=replace(operation.example, body=body))
        _add(steps, Step(operation, changed))
    return tuple(steps)


def _add(steps: list[Step], step: Step) -> None:
    """Add a step, and before it the steps that create the objects it needs."""
    for variable in needed_by(step.operation).values():
        if variable.operation.name not in {one.operation.name for one in steps}:
            _add(steps, Step(variable.operation, {}))
    steps.append(step)


def _usual_order(product: str) -> list[str]:
    rows = [row for row in OPERATIONS if row.product == product]
    return [row.name for row in sorted(rows, key=_rank)]


def _rank(row: Operation) -> int:
    if row.method == "POST" and "{" not in row.path:
        return 0
    return {"GET": 1, "DELETE": 3}.get(row.method, 2)


@cache
def _by_name() -> dict[str, Operation]:
    return {row.name: row for row in OPERATIONS}


@cache
def _variables() -> dict[str, SampleVariable]:
    """Return a variable for each ID in the examples, by ID.

    The sandbox makes references of payments too: each counts once, so a fixed one works only once.
    """
    known: dict[str, SampleVariable] = {}
    for row in sorted(OPERATIONS, key=lambda row: (row.method != "POST", "{" in row.path)):
        for found in _FOUND:
            try:
                whole = _inside(row.example.answer, found[:-1])
                made = whole[found[-1]]
            except (KeyError, IndexError, TypeError):
                continue
            if _MADE_ID.fullmatch(made):
                word = row.name.partition(".")[0].removesuffix("s")
                word = whole.get("object") or (found[0] if found[0] == "payment" else word)
                name = str(found[0]) if found == _REFERENCE else f"{word}_id"
                known.setdefault(made, SampleVariable(name.upper(), row, found))
    return known


def _inside(answer: Any, found: tuple[str | int, ...]) -> Any:
    for at in found:
        answer = answer[at]
    return answer


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)
