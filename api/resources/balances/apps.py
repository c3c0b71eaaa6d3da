"""App config, event subscriptions."""

from django.apps import AppConfig


class BalancesConfig(AppConfig):
    """Opens the sandbox balances with the sandbox."""

    name = "api.resources.balances"
    label = "balances"

    def ready(self) -> None:
        from api.resources.balances import opening_balances
        from console.events import outbox

        outbox.within("grant.open", opening_balances.open_with_grant)
