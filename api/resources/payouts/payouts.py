"""Create and settle payouts."""

from api.resources.disbursing import Disbursing
from api.resources.payouts.models import Payout

PAYOUTS = Disbursing(Payout, "payout")
