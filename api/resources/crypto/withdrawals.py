"""Create and settle withdrawals."""

from api.sandbox.disbursing import Disbursing
from api.sandbox.models import CryptoWithdrawal

WITHDRAWALS = Disbursing(CryptoWithdrawal, "crypto_withdrawal")
