"""Create and settle OTC orders."""

from api.resources.disbursing import Disbursing
from api.resources.otc.models import OtcOrder

OTC_ORDERS = Disbursing(OtcOrder, "otc_order")
