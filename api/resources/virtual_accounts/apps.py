"""App config, what the passing of time does to virtual accounts."""

from django.apps import AppConfig


class VirtualAccountsConfig(AppConfig):
    """Virtual accounts, and the deposits on them."""

    name = "api.resources.virtual_accounts"
    label = "virtual_accounts"

    def ready(self) -> None:
        from api.sandbox import public_kinds, virtual_accounts
        from api.sandbox.lifecycle import (
            DEPOSIT_LIFECYCLE,
            DEPOSIT_STATUSES,
            SENTENCES,
            VIRTUAL_ACCOUNT_LIFECYCLE,
            VIRTUAL_ACCOUNT_STATUSES,
        )
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "sandbox.VirtualAccount",
            VIRTUAL_ACCOUNT_LIFECYCLE,
            VIRTUAL_ACCOUNT_STATUSES,
        )
        status_table.register("sandbox.Deposit", DEPOSIT_LIFECYCLE, DEPOSIT_STATUSES)
        messages.register(SENTENCES)
        public_kinds.register()
        schedule.every_night("virtual_accounts.fail_unanswered", virtual_accounts.fail_unanswered)
