"""Cardholders, and their cards: issue, activate, freeze, let on, terminate."""

from django.db import transaction

from api.sandbox import scoping
from api.sandbox.lifecycle import CARD_LIFECYCLE, CardStatus
from api.sandbox.models import Card, CardType
from console.accounts.actors import Actor
from console.core.refusals import WrongStatus


@transaction.atomic
def create(card: Card, *, by: Actor) -> Card:
    """Keep a card that its issuer has confirmed."""
    # One of plastic is on its way to its holder, who activates it.
    physical = card.card_type == CardType.PHYSICAL
    card.status = CardStatus.INACTIVE if physical else CardStatus.ACTIVE
    return scoping.create(card, "card.created", by=by)


@transaction.atomic
def activate(card: Card, *, by: Actor) -> Card:
    """Let a card pay that its holder has received."""
    return _move(scoping.locked(card), CardStatus.ACTIVE, CardStatus.INACTIVE, by=by)


@transaction.atomic
def freeze(card: Card, *, by: Actor) -> Card:
    """Stop a card for now."""
    return _move(scoping.locked(card), CardStatus.FROZEN, CardStatus.ACTIVE, by=by)


@transaction.atomic
def unfreeze(card: Card, *, by: Actor) -> Card:
    """Let a frozen card pay again."""
    return _move(
        scoping.locked(card), CardStatus.ACTIVE, CardStatus.FROZEN, act="card.unfrozen", by=by
    )


@transaction.atomic
def terminate(card: Card, *, by: Actor) -> Card:
    """Stop a card for good."""
    card = scoping.locked(card)
    return _move(card, CardStatus.TERMINATED, CardStatus(card.status), by=by)


def require_active(card: Card) -> None:
    """Refuse a card that cannot pay, and hold one that can until the transaction ends."""
    status = scoping.locked(card).status
    if status != CardStatus.ACTIVE:
        raise WrongStatus(
            f"The card is {status}, so you cannot pay with it.", reason="card_not_active"
        )


def _move(card: Card, to: CardStatus, only: CardStatus, *, act: str = "", by: Actor) -> Card:
    """Change the status of a locked card that is `only`, and tell the others."""
    scoping.require(card, CARD_LIFECYCLE, to, since=only)
    card.status = to
    card.save(update_fields=["status"])
    scoping.announce(card, f"card.{to}", act=act, by=by)
    return card
