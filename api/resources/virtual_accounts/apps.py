"""App config, what the passing of time does to virtual accounts."""

from django.apps import AppConfig


class VirtualAccountsConfig(AppConfig):
    """Virtual accounts, and the deposits on them."""

    name = "api.resources.virtual_accounts"
    label = "virtual_accounts"

    def ready(self) -> None:
        from api.resources.virtual_accounts import accounts, lifecycle, public_kinds
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "virtual_accounts.VirtualAccount",
            lifecycle.VIRTUAL_ACCOUNT_LIFECYCLE,
            lifecycle.VIRTUAL_ACCOUNT_STATUSES,
        )
        status_table.register(
            "virtual_accounts.Deposit", lifecycle.DEPOSIT_LIFECYCLE, lifecycle.DEPOSIT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        public_kinds.register()
        schedule.every_night("virtual_accounts.fail_unanswered", accounts.fail_unanswered)
