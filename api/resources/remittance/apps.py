"""App config, what the passing of time does to transfers."""

from django.apps import AppConfig


class RemittanceConfig(AppConfig):
    """Beneficiaries, and transfers to them."""

    name = "api.resources.remittance"
    label = "remittance"

    def ready(self) -> None:
        from api.resources import commercial_files
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.remittance import corridors, lifecycle, public_kinds
        from api.resources.remittance.transfers import TRANSFERS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "remittance.Transfer", lifecycle.TRANSFER_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        public_kinds.register()
        schedule.every_minute("remittance.settle_due", TRANSFERS.settle_due)
        commercial_files.register(corridors.FILES)
