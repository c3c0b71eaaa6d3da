"""App config: statuses, sentences, what is told with every event."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Endpoints of businesses, what they are told, and how it is delivered."""

    name = "apikeys.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from apikeys.webhooks import (
            fan_out,
            housekeeping,
            lifecycle,
            probing,
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
        outbox.subscribe("webhook_endpoint.probe_asked", "webhooks.probe", probing.probe_asked)
        schedule.every_minute(probing.JOB, probing.do_what_waits)
        schedule.every_night("webhooks.probe_weekly", probing.ask_weekly)
        schedule.every_minute("webhooks.keep_days", housekeeping.keep_days)
