"""Create and settle transfers."""

from django.db import transaction

from api.sandbox import quotes
from api.sandbox.disbursing import Disbursing
from api.sandbox.models import Transfer
from console.accounts.actors import Actor

TRANSFERS = Disbursing(Transfer, "transfer")


@transaction.atomic(savepoint=False)
def create(transfer: Transfer, *, tries: int, by: Actor) -> Transfer:
    """Use the quote, where there is one, and transfer; or refuse and leave the quote unused."""
    if transfer.quote is not None:
        quotes.use(transfer.quote)
    return TRANSFERS.create(transfer, tries=tries, by=by)
