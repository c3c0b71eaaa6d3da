"""App config, event subscriptions."""

from django.apps import AppConfig


class BalancesConfig(AppConfig):
    """Opens the sandbox balances with the sandbox."""

    name = "api.balances"
    label = "balances"

    def ready(self) -> None:
        from api.balances import opening
        from console.events import outbox

        outbox.within("grant.open", opening.open_with_grant)
