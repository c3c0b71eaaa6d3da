"""Create and settle payouts."""

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import Payout

PAYOUTS = Disbursing(Payout, "payout")
