"""App config, what the passing of time does to transfers."""

from django.apps import AppConfig


class RemittanceConfig(AppConfig):
    """Beneficiaries, and transfers to them."""

    name = "api.resources.remittance"
    label = "remittance"

    def ready(self) -> None:
        from api.sandbox import commercial_files, corridors, public_kinds
        from api.sandbox.disbursements import TRANSFERS
        from api.sandbox.lifecycle import DISBURSEMENT_STATUSES, SENTENCES, TRANSFER_LIFECYCLE
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.Transfer", TRANSFER_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        public_kinds.register()
        schedule.every_minute("remittance.settle_due", TRANSFERS.settle_due)
        commercial_files.register(corridors.FILES)
