"""Cards and cardholders: issue, activate, freeze, unfreeze and terminate."""

from django.db import transaction

from api.payments import scoping
from api.payments.lifecycle import CARD_LIFECYCLE, CardStatus
from api.payments.models import Card, CardType
from console.accounts.actors import Actor
from console.core.refusals import WrongStatus


@transaction.atomic
def create(card: Card, *, by: Actor) -> Card:
    """Save a card that its issuer has confirmed."""
    # The holder must receive and activate a physical card first.
    physical = card.card_type == CardType.PHYSICAL
    card.status = CardStatus.INACTIVE if physical else CardStatus.ACTIVE
    return scoping.create(card, "card.created", by=by)


@transaction.atomic
def activate(card: Card, *, by: Actor) -> Card:
    """Activate a physical card after its holder has received it."""
    return _move(scoping.locked(card), CardStatus.ACTIVE, CardStatus.INACTIVE, by=by)


@transaction.atomic
def freeze(card: Card, *, by: Actor) -> Card:
    """Freeze a card temporarily."""
    return _move(scoping.locked(card), CardStatus.FROZEN, CardStatus.ACTIVE, by=by)


@transaction.atomic
def unfreeze(card: Card, *, by: Actor) -> Card:
    """Unfreeze a card."""
    return _move(
        scoping.locked(card), CardStatus.ACTIVE, CardStatus.FROZEN, act="card.unfrozen", by=by
    )


@transaction.atomic
def terminate(card: Card, *, by: Actor) -> Card:
    """Terminate a card permanently."""
    card = scoping.locked(card)
    return _move(card, CardStatus.TERMINATED, CardStatus(card.status), by=by)


def require_active(card: Card) -> None:
    """Lock an active card until the transaction ends, or refuse any other."""
    status = scoping.locked(card).status
    if status != CardStatus.ACTIVE:
        raise WrongStatus(
            f"The card is {status}, so you cannot pay with it.", reason="card_not_active"
        )


def _move(card: Card, to: CardStatus, only: CardStatus, *, act: str = "", by: Actor) -> Card:
    """Change a locked card's status, if it is now `only`, and publish the event."""
    scoping.require(card, CARD_LIFECYCLE, to, since=only)
    card.status = to
    card.save(update_fields=["status"])
    scoping.announce(card, f"card.{to}", act=act, by=by)
    return card
