"""Create and settle payouts."""

from api.resources import announcing
from api.resources.disbursing import Disbursing
from api.resources.payouts.models import Payout
from console.accounts.actors import Actor


def _tell(payout: Payout, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(payout, "payout.created", by=by)
    else:
        announcing.announce(payout, f"payout.{to}", by=by)


PAYOUTS = Disbursing(Payout, _tell)
