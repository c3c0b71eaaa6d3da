"""App config, what the passing of time does to withdrawals."""

from django.apps import AppConfig


class CryptoConfig(AppConfig):
    """Blockchain addresses and withdrawals."""

    name = "api.resources.crypto"
    label = "crypto"

    def ready(self) -> None:
        from api.sandbox.disbursements import CRYPTO_WITHDRAWALS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, SENTENCES, WITHDRAWAL_LIFECYCLE
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sandbox.CryptoWithdrawal", WITHDRAWAL_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(SENTENCES)
        schedule.every_minute("crypto.settle_due", CRYPTO_WITHDRAWALS.settle_due)
