"""Create and settle OTC orders."""

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import OtcOrder

OTC_ORDERS = Disbursing(OtcOrder, "otc_order")
