"""App configuration: console modules and event subscriptions."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class ApikeysConfig(AppConfig):
    name = "apikeys"

    def ready(self) -> None:
        from apikeys import key_progress, lifecycle, public_kinds, secrets
        from apikeys.grants import grants
        from apikeys.products import product_places
        from apikeys.register import own_search, register_search
        from console.accounts import joining
        from console.audit import messages
        from console.core import key_uses, pages_above, status_table, text
        from console.shell import modules, progress, search

        status_table.register("apikeys.Grant", lifecycle.GRANT_LIFECYCLE, lifecycle.GRANT)
        status_table.register("apikeys.ApiKey", lifecycle.KEY_LIFECYCLE, lifecycle.KEY)
        status_table.register(
            "apikeys.NetworkRequest", lifecycle.NETWORK_LIFECYCLE, lifecycle.NETWORK_REQUEST
        )
        messages.register(lifecycle.SENTENCES, confidential=lifecycle.CONFIDENTIAL)
        public_kinds.register()
        for column in ("pepper", "former_pepper"):
            key_uses.register("KEY_PEPPER", key_uses.numbered_in("apikeys.ApiKey", column))
        text.object_to(secrets.objection, take_out=secrets.taken_out)
        joining.register(grants.refuse_while_suspended)
        pages_above.register(products="apikeys:business_products")
        modules.place_products_by(product_places.of_business)
        search.register(own_search.own_objects)
        search.register(register_search.everything, prefixes=register_search.LINKED)
        progress.register(
            progress.Stage("sandbox", _("Sandbox keys"), 60, key_progress.sandbox_stage)
        )
        _subscribe()
        _schedule()
        _register_modules()


def _subscribe() -> None:
    from apikeys.grants import emails as grant_emails
    from apikeys.grants import event_handlers
    from apikeys.keys import emails as key_emails
    from apikeys.products import emails as product_emails
    from apikeys.suspension import emails as suspension_emails
    from apikeys.suspension import event_handlers as suspension_handlers
    from console.events import outbox

    outbox.subscribe("pack.executed", "apikeys.open_sandbox", event_handlers.pack_executed)
    outbox.subscribe("check.decided", "apikeys.open_sandbox", event_handlers.check_decided)
    outbox.within("possible_match.confirmed", suspension_handlers.match_confirmed)
    for kind in ("product.approved", "product.withdrawn", "module_setting.changed"):
        outbox.within(kind, event_handlers.products_changed)
    for kind in ("access.suspended", "access.restored", "access.closed"):
        outbox.subscribe_mail(kind, "apikeys.emails", suspension_emails.tell_people)
    for kind in ("grant.suspended", "grant.open"):
        outbox.subscribe_mail(kind, "apikeys.emails", grant_emails.tell_people)
    for kind in ("product.withdrawn", "module_setting.changed"):
        outbox.subscribe_mail(kind, "apikeys.emails", product_emails.tell)
    for kind in (
        "key.created",
        "key.expiring",
        "key.unused",
        "key.disabled",
        "key.revoked",
    ):
        outbox.subscribe_mail(kind, "apikeys.emails", key_emails.tell)


def _schedule() -> None:
    from apikeys import logged_calls
    from apikeys.grants import event_handlers
    from apikeys.keys import key_expiry, keys, rotation
    from apikeys.register import account_turns
    from console.core import schedule

    schedule.every_minute("apikeys.open_sandboxes", event_handlers.open_what_is_ready)
    schedule.every_minute("apikeys.expire_keys", keys.expire_outlived)
    schedule.every_minute("apikeys.finish_rotations", rotation.finish_rotations)
    schedule.every_minute("apikeys.drop_unconfirmed_keys", key_expiry.drop_unconfirmed)
    schedule.every_minute("apikeys.give_key_notices", key_expiry.give_notices)
    schedule.every_minute("apikeys.disable_unused_keys", key_expiry.disable_unused)
    schedule.every_night("apikeys.note_stalled", account_turns.note_stalled)
    schedule.every_minute("apikeys.keep_request_log", logged_calls.keep_days)


def _register_modules() -> None:
    from apikeys.allowlist import allowlist, network_turns
    from apikeys.register import account_turns
    from console.governance import turns
    from console.shell import modules
    from console.shell.modules import ConsoleModule

    turns.register(network_turns.KIND)
    turns.register(account_turns.KIND)
    modules.register(
        ConsoleModule(
            key="keys",
            name=_("API keys"),
            route="apikeys:keys",
            icon="key-round",
            group=_("Developer"),
            permission="key_view",
            order=110,
            key_hint="g k",
        ),
        ConsoleModule(
            key="allowlists",
            name=_("IP allowlist"),
            route="apikeys:allowlists",
            icon="network",
            group=_("Developer"),
            permission="key_view",
            order=115,
            key_hint="g i",
        ),
        ConsoleModule(
            key="businesses",
            name=_("Businesses"),
            route="apikeys:businesses",
            icon="building-2",
            group=_("Accounts"),
            audience="staff",
            permission="review_view",
            order=39,
            key_hint="g r",
            work_of=("account_manage", "access_suspend", "access_close"),
        ),
        ConsoleModule(
            key="network_requests",
            name=_("Network requests"),
            route="apikeys:network_requests",
            icon="network",
            group=_("Accounts"),
            audience="staff",
            permission="review_view",
            order=45,
            waiting=allowlist.waiting,
            work_of=("network_decide",),
        ),
        ConsoleModule(
            key="own_products",
            name=_("Products"),
            route="apikeys:own_products",
            icon="boxes",
            group=_("Business"),
            permission="business_view",
            order=40,
            key_hint="g r",
        ),
        ConsoleModule(
            key="products",
            name=_("Products"),
            route="apikeys:products",
            icon="boxes",
            group=_("Accounts"),
            audience="staff",
            permission="review_view",
            order=42,
            work_of=("product_withdraw",),
        ),
        ConsoleModule(
            key="grants",
            name=_("API access"),
            route="apikeys:grants",
            icon="key-round",
            group=_("Accounts"),
            audience="staff",
            permission="review_view",
            order=40,
            key_hint="g g",
        ),
    )
