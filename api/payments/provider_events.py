"""Events from live's providers: checked and stored when they arrive, applied by a worker.

Each counts once. A provider's events can only concern its own objects. Events of one object may
arrive in any order: an ended instruction does not change, and money arrives once per reference.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from api.payments import breaks, deposits, instructions
from api.payments.models import ACCOUNT, BreakKind, Deposit, ProviderEvent, ProviderInstruction
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
    """Book money on a virtual account, or keep a break that says why it cannot be booked."""
    account = Account.objects.select_related("business").filter(public_id=row.object_id).first()
    if account is None:
        return "wrong_kind"
    why = _book(account, row.data, by=instruction.provider_actor)
    if not why:
        return "applied"
    breaks.found(
        account.business,
        instruction.provider,
        BreakKind.NOT_BOOKED,
        row.data["provider_reference"],
        account.currency,
        f"Money on {account.public_id} is not booked: {why}"[:400],
        by=instruction.provider_actor,
    )
    return "not_booked"


def _book(account: Account, data: Mapping[str, Any], *, by: Actor) -> str:
    """Book money on an account. Return why it cannot be booked, or "" if it is."""
    try:
        money = Money.parse(data["amount"], data["currency"])
    except NotMoney:
        return f"{data['amount']} {data['currency']} is no amount of ours."
    if money.minor <= 0 or money.currency != account.currency:
        return f"the account takes amounts of {account.currency}, and {money} arrived."
    try:
        with transaction.atomic():
            known = deposits.receive(
                _deposit(account, money, data), payer=data["payer_name"], by=by
            )
    except Refused as refused:
        return str(refused)
    if known.money != money or known.virtual_account_id != account.public_id:
        return f"{data['provider_reference']} was {known.money} before, and is {money} now."
    return ""


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
}


def _mistakes(error: ValidationError) -> str:
    found = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'body'}: {one['msg']}" for one in found)
