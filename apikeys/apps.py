"""App config, console modules, event subscriptions."""

from django.apps import AppConfig


class ApikeysConfig(AppConfig):
    """Wires this package to the console."""

    name = "apikeys"

    def ready(self) -> None:
        from apikeys import key_progress, lifecycle
        from apikeys.grants import event_handlers, grants
        from apikeys.keys import keys
        from apikeys.suspension import emails as suspension_emails
        from console.accounts import joining
        from console.audit import messages
        from console.core import schedule
        from console.events import outbox
        from console.shell import modules, progress, tones

        tones.register("apikeys.Grant", lifecycle.GRANT_TONES)
        tones.register("apikeys.ApiKey", lifecycle.KEY_TONES)
        messages.register(lifecycle.SENTENCES)
        joining.register(grants.refuse_while_suspended)
        outbox.subscribe("pack.executed", "apikeys.open_sandbox", event_handlers.pack_executed)
        outbox.subscribe("check.decided", "apikeys.open_sandbox", event_handlers.check_decided)
        for kind in ("product.approved", "product.withdrawn"):
            outbox.subscribe(kind, "apikeys.follow_products", event_handlers.products_changed)
        for kind in ("access.suspended", "access.restored", "access.closed"):
            outbox.subscribe(kind, "apikeys.emails", suspension_emails.tell_people)
        schedule.every_minute("apikeys.open_sandboxes", event_handlers.open_what_is_ready)
        schedule.every_minute("apikeys.expire_keys", keys.expire_outlived)
        progress.register(progress.Stage("sandbox", "Sandbox keys", 60, key_progress.sandbox_stage))
        progress.register(progress.Stage("live", "Live keys", 70, key_progress.live_stage))
        modules.register(
            modules.ConsoleModule(
                key="keys",
                name="API keys",
                route="apikeys:keys",
                icon="key-round",
                group="Developer",
                permission="key_view",
                order=110,
                key_hint="g k",
            )
        )
        modules.register(
            modules.ConsoleModule(
                key="grants",
                name="API access",
                route="apikeys:grants",
                icon="key-round",
                group="Accounts",
                audience="staff",
                permission="review_view",
                order=40,
                key_hint="g g",
            )
        )
