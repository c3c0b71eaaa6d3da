"""App config: the page in the navigation, health notices, and whose turn it is."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class LivePaymentsConfig(AppConfig):
    """The page of live payments."""

    name = "api.live_payments"
    label = "live_payments"

    def ready(self) -> None:
        from api.live_payments import figures, live_payment_turns, open_work, screening_work
        from console.core import pages_above
        from console.governance import health_notices, turns
        from console.observability import figures as registry
        from console.shell import modules

        pages_above.register(live_limits="api:live_limits")
        health_notices.register("live providers", open_work.concerns)
        registry.register("live providers", figures.read)
        health_notices.register("payments to check", screening_work.concerns)
        turns.register(live_payment_turns.KIND)
        turns.register(screening_work.TURNS)
        modules.register(
            modules.ConsoleModule(
                key="payments_to_check",
                name=_("Payments to check"),
                route="api:payments_to_check",
                icon="search-check",
                group=_("Review"),
                audience="staff",
                permission="check_decide",
                order=13,
                waiting=screening_work.waiting,
                work_of=("check_decide",),
            )
        )
        modules.register(
            modules.ConsoleModule(
                key="live_payments",
                name=_("Live payments"),
                route="api:live_payments",
                icon="landmark",
                group=_("Governance"),
                audience="staff",
                permission="work_view",
                order=87,
                waiting=open_work.waiting,
                work_of=("operate",),
            )
        )
