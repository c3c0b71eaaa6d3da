"""Pay with cards, and settle what was paid."""

from django.db import transaction

from api.sandbox import cards
from api.sandbox.disbursing import Disbursing
from api.sandbox.models import CardTransaction
from console.accounts.actors import Actor

CARD_TRANSACTIONS = Disbursing(CardTransaction, "card_transaction")


@transaction.atomic
def pay(row: CardTransaction, *, tries: int, by: Actor) -> CardTransaction:
    """Pay with an active card from the balance of its currency, or refuse."""
    cards.require_active(row.card)
    return CARD_TRANSACTIONS.create(row, tries=tries, by=by)
