"""App config, event subscriptions, the nightly comparison."""

from functools import partial

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """Opens the sandbox balances with the sandbox, and compares every balance with its entries."""

    name = "api.resources.ledger"
    label = "ledger"

    def ready(self) -> None:
        from api.sandbox import currencies, reconciliation
        from console.accounts.actors import SYSTEM
        from console.audit import messages
        from console.core import schedule
        from console.events import outbox
        from console.governance import health_notices

        outbox.within("grant.open", currencies.open_with_grant)
        messages.register(reconciliation.SENTENCES)
        messages.register(currencies.SENTENCES)
        schedule.every_night("ledger.reconcile", partial(reconciliation.reconcile, by=SYSTEM))
        health_notices.register("balances", reconciliation.concerns)
        health_notices.register_check(reconciliation.health)
