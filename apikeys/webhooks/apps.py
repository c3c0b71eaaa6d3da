"""App configuration: statuses, audit messages and the subscription to all public events."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class WebhooksConfig(AppConfig):
    name = "apikeys.webhooks"
    label = "webhooks"

    def ready(self) -> None:
        from apikeys.webhooks import (
            emails,
            fan_out,
            figures,
            lifecycle,
            probing,
            public_kinds,
            replays,
        )
        from console.audit import messages
        from console.core import key_uses, status_table
        from console.events import outbox
        from console.observability import figures as registry

        status_table.register(
            "webhooks.WebhookEndpoint", lifecycle.ENDPOINT_LIFECYCLE, lifecycle.ENDPOINT
        )
        status_table.register(
            "webhooks.WebhookDelivery", lifecycle.DELIVERY_LIFECYCLE, lifecycle.DELIVERY
        )
        status_table.register("webhooks.ReplayJob", lifecycle.REPLAY_LIFECYCLE, lifecycle.REPLAY)
        messages.register(lifecycle.SENTENCES, confidential=lifecycle.CONFIDENTIAL)
        public_kinds.register()
        for column in ("secret", "previous_secret"):
            use = key_uses.sealed_in("webhooks.WebhookEndpoint", column)
            key_uses.register("VAULT_KEYS", use)
        outbox.within_every(fan_out.tell)
        outbox.subscribe("replay_job.running", "webhooks.replay", replays.work)
        for kind in ("failing", "exhausted", "left_out", "paused", "lapsed"):
            outbox.subscribe_mail(f"webhook_endpoint.{kind}", "webhooks.emails", emails.tell)
        outbox.subscribe("webhook_endpoint.probe_asked", "webhooks.probe", probing.probe_asked)
        registry.register("webhooks", figures.read)
        _schedule()
        _register_module()


def _schedule() -> None:
    from apikeys.webhooks import cancellation, maintenance, notices, partitions, probing
    from console.core import schedule
    from console.governance import health_notices

    schedule.every_minute("webhooks.keep_days", partitions.keep_days)
    schedule.every_minute("webhooks.pause_halted", maintenance.pause_halted)
    schedule.every_minute("webhooks.end_overlaps", maintenance.end_overlaps)
    schedule.every_minute("webhooks.abandon_removed", cancellation.abandon_removed)
    schedule.every_minute("webhooks.keep_within_the_most", maintenance.keep_within_the_most)
    schedule.every_minute("webhooks.give_notices", notices.give_notices)
    schedule.every_minute(probing.JOB, probing.do_what_waits)
    schedule.every_night("webhooks.probe_weekly", probing.ask_weekly)
    schedule.every_night("webhooks.count_exhausted", notices.count_exhausted)
    schedule.every_night("webhooks.end_outlived", cancellation.end_outlived)
    schedule.every_five_seconds("webhooks.log_missing", maintenance.log_missing)
    health_notices.register("the webhook dispatcher", maintenance.missing)


def _register_module() -> None:
    from console.shell import modules

    modules.register(
        modules.ConsoleModule(
            key="webhook_endpoints",
            name=_("Webhooks"),
            route="apikeys:webhooks",
            icon="webhook",
            group=_("Developer"),
            permission="webhook_view",
            order=112,
            key_hint="g w",
        )
    )
