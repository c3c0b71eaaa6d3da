"""App config, what the passing of time does to sub-accounts."""

from django.apps import AppConfig


class SubAccountsConfig(AppConfig):
    """Sub-accounts of a business."""

    name = "api.resources.sub_accounts"
    label = "sub_accounts"

    def ready(self) -> None:
        from api.sandbox import sub_accounts
        from api.sandbox.lifecycle import SENTENCES, SUB_ACCOUNT_LIFECYCLE, SUB_ACCOUNT_STATUSES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sandbox.SubAccount",
            SUB_ACCOUNT_LIFECYCLE,
            SUB_ACCOUNT_STATUSES,
        )
        messages.register(SENTENCES)
        schedule.every_minute("sub_accounts.close_expired", sub_accounts.close_expired)
