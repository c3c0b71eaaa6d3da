"""Cards and cardholders: issue, activate, freeze, unfreeze and terminate."""

from django.db import transaction

from api.payments import instruction_queue, scoping, screening_queue
from api.payments.lifecycle import CARD_LIFECYCLE, CardStatus, ScreeningStatus
from api.payments.models import CARDHOLDER, Card, Cardholder, CardType, PaymentScreening
from api.providers.interface import NoProvider, ProviderAway
from apikeys.lifecycle import Environment
from console.accounts.actors import Actor
from console.core.refusals import WrongStatus


@transaction.atomic
def create(card: Card, *, by: Actor) -> Card:
    """Save a card that its issuer has confirmed."""
    # The holder must receive and activate a physical card first.
    physical = card.card_type == CardType.PHYSICAL
    card.status = CardStatus.INACTIVE if physical else CardStatus.ACTIVE
    card = scoping.create(card, "card.created", by=by)
    if card.environment == Environment.LIVE:
        body = {"currency": card.currency, "card_type": card.card_type}
        instruction_queue.note_issued(card, body)
    return card


@transaction.atomic
def create_holder(holder: Cardholder, *, by: Actor) -> Cardholder:
    """Save a cardholder, who is compared with sanctions lists before a live card is ordered."""
    holder = scoping.create(holder, "cardholder.created", by=by)
    if holder.environment == Environment.LIVE:
        party = {"name": str(holder), "country": holder.country}
        screening_queue.queue(holder, CARDHOLDER, [party], "")
    return holder


def require_screened(holder: Cardholder) -> None:
    """Refuse to order a live card for somebody who may be on a sanctions list.

    Like a payment that waits for a reviewer, it seems only to take longer.
    """
    if holder.environment != Environment.LIVE:
        return
    screening = PaymentScreening.objects.filter(object_id=holder.public_id)
    status = screening.values_list("status", flat=True).first()
    if status in (ScreeningStatus.BLOCKED, ScreeningStatus.RETURNED):
        raise NoProvider(
            "No issuer issues a card to this person.", reason="card_refused", field="cardholder_id"
        )
    if status not in (ScreeningStatus.CLEAR, ScreeningStatus.CLEARED):
        raise ProviderAway("The issuer has not confirmed the card yet. Try again later.")


@transaction.atomic
def activate(card: Card, *, by: Actor) -> Card:
    """Activate a physical card after its holder has received it, as its issuer says."""
    return _move(scoping.locked(card), CardStatus.ACTIVE, CardStatus.INACTIVE, by=by)


@transaction.atomic
def freeze(card: Card, *, by: Actor) -> Card:
    """Freeze a card temporarily."""
    return _told(_move(scoping.locked(card), CardStatus.FROZEN, CardStatus.ACTIVE, by=by))


@transaction.atomic
def unfreeze(card: Card, *, by: Actor) -> Card:
    """Unfreeze a card."""
    card = scoping.locked(card)
    return _told(_move(card, CardStatus.ACTIVE, CardStatus.FROZEN, act="card.unfrozen", by=by))


@transaction.atomic
def terminate(card: Card, *, by: Actor) -> Card:
    """Terminate a card permanently."""
    card = scoping.locked(card)
    return _told(_move(card, CardStatus.TERMINATED, CardStatus(card.status), by=by))


@transaction.atomic
def terminated_by_issuer(card: Card, *, by: Actor) -> None:
    """Terminate a card because its issuer has, unless it is terminated."""
    card = scoping.locked(card)
    if card.status != CardStatus.TERMINATED:
        _move(card, CardStatus.TERMINATED, CardStatus(card.status), act="card.ended", by=by)


def require_active(card: Card) -> None:
    """Lock an active card until the transaction ends, or refuse any other."""
    status = scoping.locked(card).status
    if status != CardStatus.ACTIVE:
        raise WrongStatus(
            f"The card is {status}, so you cannot pay with it.", reason="card_not_active"
        )


def _told(card: Card) -> Card:
    """Let the issuer hear of the card's new status."""
    instruction_queue.tell_status(card)
    return card


def _move(card: Card, to: CardStatus, only: CardStatus, *, act: str = "", by: Actor) -> Card:
    """Change a locked card's status, if it is now `only`, and publish the event."""
    scoping.require(card, CARD_LIFECYCLE, to, since=only)
    card.status = to
    card.save(update_fields=["status"])
    scoping.announce(card, f"card.{to}", act=act, by=by)
    return card
