"""App configuration: statuses, audit messages, event handlers and navigation."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class GoingLiveConfig(AppConfig):
    name = "apikeys.going_live"
    label = "going_live"

    def ready(self) -> None:
        from apikeys.going_live import lifecycle, live_overview, live_readiness
        from apikeys.keys import issue_conditions
        from console.audit import messages
        from console.core import status_table
        from console.shell import progress

        status_table.register(
            "going_live.GoLiveRequest", lifecycle.GO_LIVE_LIFECYCLE, lifecycle.GO_LIVE_REQUEST
        )
        messages.register(lifecycle.SENTENCES)
        issue_conditions.register(live_readiness.issue_blockers)
        progress.register(progress.Stage("live", _("Live keys"), 70, live_overview.stage))
        _subscribe()
        _register_modules()


def _subscribe() -> None:
    from apikeys.going_live import conditions, emails
    from console.core import schedule
    from console.events import outbox

    for kind in conditions.FACTS:
        outbox.subscribe(kind, "going_live.conditions", conditions.fact_changed)
    for kind in conditions.FACTS_OF_CHECKS:
        outbox.subscribe(kind, "going_live.conditions", conditions.check_changed)
    schedule.every_night("going_live.conditions", conditions.compare_all)
    for kind in ("approved", "declined"):
        outbox.subscribe_mail(f"go_live_request.{kind}", "going_live.emails", emails.tell_decision)
    outbox.subscribe_mail("unmet_condition.found", "going_live.emails", emails.tell_unmet)


def _register_modules() -> None:
    from apikeys.going_live import live_turns, requests
    from console.governance import turns
    from console.shell import modules
    from console.shell.modules import ConsoleModule

    turns.register(live_turns.KIND)
    modules.register(
        ConsoleModule(
            key="go_live",
            name=_("Go live"),
            route="apikeys:go_live",
            icon="rocket",
            group=_("Developer"),
            permission="key_view",
            order=120,
            key_hint="g v",
        ),
        ConsoleModule(
            key="go_live_requests",
            name=_("Go-live requests"),
            route="apikeys:go_live_requests",
            icon="rocket",
            group=_("Accounts"),
            audience="staff",
            permission="review_view",
            order=43,
            waiting=requests.waiting,
            work_of=("go_live_propose", "go_live_decide"),
        ),
    )
