"""Create and settle OTC orders."""

from api.resources import announcing
from api.resources.disbursing import Disbursing
from api.resources.otc.models import OtcOrder
from console.accounts.actors import Actor


def _tell(order: OtcOrder, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(order, "otc_order.created", by=by)
    else:
        announcing.announce(order, f"otc_order.{to}", by=by)


OTC_ORDERS = Disbursing(OtcOrder, _tell)
