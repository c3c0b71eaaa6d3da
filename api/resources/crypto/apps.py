"""App config, what the passing of time does to withdrawals."""

from django.apps import AppConfig


class CryptoConfig(AppConfig):
    """Blockchain addresses and withdrawals."""

    name = "api.resources.crypto"
    label = "crypto"

    def ready(self) -> None:
        from api.resources.crypto import lifecycle
        from api.resources.crypto.withdrawals import WITHDRAWALS
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "crypto.CryptoWithdrawal", lifecycle.WITHDRAWAL_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("crypto.settle_due", WITHDRAWALS.settle_due)
