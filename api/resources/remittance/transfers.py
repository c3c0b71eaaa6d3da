"""Create and settle transfers."""

from django.db import transaction

from api.resources import announcing
from api.resources.disbursing import Disbursing
from api.resources.quotes import quotes
from api.resources.remittance.models import Transfer
from console.accounts.actors import Actor


def _tell(transfer: Transfer, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(transfer, "transfer.created", by=by)
    else:
        announcing.announce(transfer, f"transfer.{to}", by=by)


TRANSFERS = Disbursing(Transfer, _tell)


@transaction.atomic(savepoint=False)
def create(transfer: Transfer, *, tries: int, by: Actor) -> Transfer:
    """Use the quote, where there is one, and transfer; or refuse and leave the quote unused."""
    if transfer.quote is not None:
        quotes.use(transfer.quote)
    return TRANSFERS.create(transfer, tries=tries, by=by)
