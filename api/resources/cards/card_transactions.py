"""Pay with cards, and settle what was paid."""

from django.db import transaction

from api.resources import announcing
from api.resources.cards import cards
from api.resources.cards.models import CardTransaction
from api.resources.disbursing import Disbursing
from console.accounts.actors import Actor


def _tell(row: CardTransaction, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(row, "card_transaction.created", by=by)
    else:
        announcing.announce(row, f"card_transaction.{to}", by=by)


CARD_TRANSACTIONS = Disbursing(CardTransaction, _tell)


@transaction.atomic
def pay(row: CardTransaction, *, tries: int, by: Actor) -> CardTransaction:
    """Pay with an active card from the balance of its currency, or refuse."""
    cards.require_active(row.card)
    return CARD_TRANSACTIONS.create(row, tries=tries, by=by)
