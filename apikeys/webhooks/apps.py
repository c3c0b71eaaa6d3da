"""App config: statuses, sentences, what is told with every event."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Endpoints of businesses, what they are told, and how it is delivered."""

    name = "apikeys.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from apikeys.webhooks import (
            emails,
            fan_out,
            housekeeping,
            lifecycle,
            notices,
            public_kinds,
            replays,
            statuses,
        )
        from console.audit import messages
        from console.core import schedule, status_table
        from console.events import outbox

        status_table.register(
            "webhooks.WebhookEndpoint", lifecycle.ENDPOINT_LIFECYCLE, statuses.ENDPOINT
        )
        status_table.register(
            "webhooks.WebhookDelivery", lifecycle.DELIVERY_LIFECYCLE, statuses.DELIVERY
        )
        status_table.register("webhooks.ReplayJob", lifecycle.REPLAY_LIFECYCLE, statuses.REPLAY)
        messages.register(lifecycle.SENTENCES)
        public_kinds.register()
        outbox.within_every(fan_out.tell)
        outbox.subscribe("replay_job.running", "webhooks.replay", replays.work)
        schedule.every_minute("webhooks.keep_days", housekeeping.keep_days)
        for kind in ("failing", "exhausted", "paused", "lapsed"):
            outbox.subscribe(f"webhook_endpoint.{kind}", "webhooks.emails", emails.tell)
        schedule.every_minute("webhooks.give_notices", notices.give_notices)
        schedule.every_night("webhooks.count_exhausted", notices.count_exhausted)
        _register_module()


def _register_module() -> None:
    from console.shell import modules

    modules.register(
        modules.ConsoleModule(
            key="webhooks",
            name="Webhooks",
            route="apikeys:webhooks",
            icon="webhook",
            group="Developer",
            permission="webhook_view",
            order=112,
            key_hint="g w",
        )
    )
