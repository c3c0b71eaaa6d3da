"""Create and settle transfers."""

from api.resources import announcing
from api.resources.disbursing import Disbursing
from api.resources.remittance.models import Transfer
from console.accounts.actors import Actor


def _tell(transfer: Transfer, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(transfer, "transfer.created", by=by)
    else:
        announcing.announce(transfer, f"transfer.{to}", by=by)


TRANSFERS = Disbursing(Transfer, _tell)
