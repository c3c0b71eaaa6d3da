"""App config, what the passing of time does to sub-accounts."""

from django.apps import AppConfig


class SubAccountsConfig(AppConfig):
    """Sub-accounts of a business."""

    name = "api.resources.sub_accounts"
    label = "sub_accounts"

    def ready(self) -> None:
        from api.resources.sub_accounts import lifecycle, sub_accounts
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sub_accounts.SubAccount",
            lifecycle.SUB_ACCOUNT_LIFECYCLE,
            lifecycle.SUB_ACCOUNT_STATUSES,
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("sub_accounts.close_expired", sub_accounts.close_expired)
