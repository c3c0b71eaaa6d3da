"""Create and settle withdrawals."""

from api.resources import announcing
from api.resources.crypto.models import CryptoWithdrawal
from api.resources.disbursing import Disbursing
from console.accounts.actors import Actor


def _tell(withdrawal: CryptoWithdrawal, to: str, by: Actor) -> None:
    if to == "created":
        announcing.announce(withdrawal, "crypto_withdrawal.created", by=by)
    else:
        announcing.announce(withdrawal, f"crypto_withdrawal.{to}", by=by)


WITHDRAWALS = Disbursing(CryptoWithdrawal, _tell)
