"""Events from live's providers: checked and stored when they arrive, applied by a worker.

Each counts once. A provider's events can only concern its own objects. Events of one object may
arrive in any order: an ended instruction does not change, and money arrives once per reference.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from pydantic import ValidationError

from api.payments import breaks, cards, deposits, instructions, scoping
from api.payments.disbursements import CARD_TRANSACTIONS
from api.payments.lifecycle import CardStatus
from api.payments.models import (
    ACCOUNT,
    BreakKind,
    Card,
    CardTransaction,
    Deposit,
    ProviderEvent,
    ProviderInstruction,
)
from api.payments.models import VirtualAccount as Account
from api.providers import signatures
from api.providers.configured import ConnectedProvider
from api.providers.messages import DATA, ProviderEventMessage
from console.accounts.actors import Actor
from console.core import clock
from console.core.money import Money, NotMoney
from console.core.refusals import Refused
from console.events import outbox as events
from console.events.models import Event

UNKNOWN = "unknown_object"
PlaceT = TypeVar("PlaceT", Account, Card)


@dataclass(frozen=True)
class EventReceipt:
    """The answer to a provider: an HTTP status and a sentence."""

    status: int
    says: str


@transaction.atomic
def receive(provider: ConnectedProvider, headers: Mapping[str, str], body: bytes) -> EventReceipt:
    """Check and store an event.

    202 stored, 200 the same again, 400 not readable, 401 not signed, 404 another's or no object,
    409 the ID belongs to another event.
    """
    if objection := signatures.objection(provider.secrets_of_events, headers, body):
        return EventReceipt(401, objection)
    try:
        message = ProviderEventMessage.model_validate_json(body)
        data = DATA[message.type].model_validate(message.data).model_dump(mode="json")
    except ValidationError as error:
        return EventReceipt(400, _mistakes(error))
    if headers.get(signatures.ID) != message.id:
        return EventReceipt(400, f"{signatures.ID} and id must be the same.")
    row = ProviderEvent(
        provider=provider.name,
        event_id=message.id,
        object_id=message.object,
        type=message.type,
        sequence=message.sequence,
        data=data,
        body_digest=hashlib.sha256(body).digest(),
        occurred_at=message.occurred_at,
        received_at=clock.now(),
    )
    is_known = ProviderInstruction.objects.filter(
        provider=provider.name, public_id=message.object
    ).exists()
    if not is_known:
        row.handled_at, row.effect = row.received_at, UNKNOWN
    ProviderEvent.objects.bulk_create([row], ignore_conflicts=True)
    kept = ProviderEvent.objects.get(provider=provider.name, event_id=message.id)
    if bytes(kept.body_digest) != row.body_digest:
        return EventReceipt(409, "This id belongs to another event.")
    if not is_known:
        return EventReceipt(404, f"{message.object} is no object of yours. Staff will look.")
    if kept.public_id != row.public_id:
        return EventReceipt(200, "Known already.")
    events.publish("provider_event.received", kept)
    return EventReceipt(202, "Stored.")


@transaction.atomic
def apply(event: Event) -> None:
    """Apply a stored event, once."""
    rows = ProviderEvent.objects.select_for_update(no_key=True, of=("self",))
    row = rows.get(public_id=event.subject_id)
    if row.handled_at is not None:
        return
    instruction = ProviderInstruction.objects.select_related("business").get(
        public_id=row.object_id
    )
    row.effect = _EFFECTS[row.type](instruction, row)
    row.handled_at = clock.now()
    row.save(update_fields=["handled_at", "effect"])


def _ended(instruction: ProviderInstruction, row: ProviderEvent) -> str:
    is_of_account = row.type.startswith("account.")
    if is_of_account != (instruction.kind == ACCOUNT):
        return "wrong_kind"
    if instruction.is_held:
        return "not_sent"
    completed = row.type in ("instruction.completed", "account.issued")
    return instructions.end(
        instruction, completed=completed, said=row.data, by=instruction.provider_actor
    )


def _money_in(instruction: ProviderInstruction, row: ProviderEvent) -> str:
    """Book money on a virtual account."""
    account = Account.objects.select_related("business").filter(public_id=row.object_id).first()
    return _money(instruction, row, account, _receive)


def _money_out(instruction: ProviderInstruction, row: ProviderEvent) -> str:
    """Book a payment by card, which the issuer has made."""
    return _money(instruction, row, _card_of(row), _spend)


def _card_of(row: ProviderEvent) -> Card | None:
    return Card.objects.select_related("business").filter(public_id=row.object_id).first()


def _money(
    instruction: ProviderInstruction,
    row: ProviderEvent,
    place: PlaceT | None,
    book: Callable[[PlaceT, Money, Mapping[str, Any], Actor], bool],
) -> str:
    """Book money at an account or card, or keep a break that says why it cannot be booked.

    `book` tells whether what is booked under the reference is the same.
    """
    if place is None:
        return "wrong_kind"
    why = _why_not(place, row.data, book, by=instruction.provider_actor)
    if not why:
        return "applied"
    breaks.found(
        place.business,
        instruction.provider,
        BreakKind.NOT_BOOKED,
        row.data["provider_reference"],
        place.currency,
        f"Money of {place.public_id} is not booked: {why}"[:400],
        by=instruction.provider_actor,
    )
    return "not_booked"


def _why_not(
    place: PlaceT,
    data: Mapping[str, Any],
    book: Callable[[PlaceT, Money, Mapping[str, Any], Actor], bool],
    *,
    by: Actor,
) -> str:
    """Book it. Return why it cannot be booked, or "" if it is."""
    try:
        money = Money.parse(data["amount"], data["currency"])
    except NotMoney:
        return f"{data['amount']} {data['currency']} is no amount of ours."
    if money.minor <= 0 or money.currency != place.currency:
        return f"its currency is {place.currency}, and the amount {money}."
    try:
        with transaction.atomic():
            is_same = book(place, money, data, by)
    except Refused as refused:
        return str(refused)
    return "" if is_same else f"{data['provider_reference']} was another amount or object before."


def _receive(account: Account, money: Money, data: Mapping[str, Any], by: Actor) -> bool:
    known = deposits.receive(_deposit(account, money, data), payer=data["payer_name"], by=by)
    return known.money == money and known.virtual_account_id == account.public_id


def _spend(card: Card, money: Money, data: Mapping[str, Any], by: Actor) -> bool:
    card = scoping.locked(card)
    payment = CardTransaction(
        business=card.business,
        environment=card.environment,
        card=card,
        amount=money.minor,
        currency=money.currency,
        merchant_name=data["merchant_name"],
        provider_reference=data["provider_reference"],
    )
    known = CardTransaction.objects.filter(
        business=card.business,
        environment=card.environment,
        provider_reference=payment.provider_reference,
    ).first()
    known = known or CARD_TRANSACTIONS.book(payment, by=by)
    return known.money == money and known.card_id == card.public_id


def _activated(instruction: ProviderInstruction, row: ProviderEvent) -> str:
    card = _card_of(row)
    if card is None:
        return "wrong_kind"
    if card.status != CardStatus.INACTIVE:
        return "known"
    cards.activate(card, by=instruction.provider_actor)
    return "applied"


def _terminated(instruction: ProviderInstruction, row: ProviderEvent) -> str:
    card = _card_of(row)
    if card is None:
        return "wrong_kind"
    cards.terminated_by_issuer(card, by=instruction.provider_actor)
    return "applied"


def _deposit(account: Account, money: Money, data: Mapping[str, Any]) -> Deposit:
    return Deposit(
        business=account.business,
        environment=account.environment,
        virtual_account=account,
        amount=money.minor,
        currency=money.currency,
        source_reference=data["source_reference"],
        provider_reference=data["provider_reference"],
    )


_EFFECTS = {
    "instruction.completed": _ended,
    "instruction.failed": _ended,
    "account.issued": _ended,
    "account.refused": _ended,
    "deposit.received": _money_in,
    "card.activated": _activated,
    "card.used": _money_out,
    "card.terminated": _terminated,
}


def _mistakes(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in found)
