"""Create and settle withdrawals."""

from api.resources.crypto.models import CryptoWithdrawal
from api.resources.disbursing import Disbursing

WITHDRAWALS = Disbursing(CryptoWithdrawal, "crypto_withdrawal")
