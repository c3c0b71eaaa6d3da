"""App config: audit messages, scheduled jobs, notices and settings of sanctions lists."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class ScreeningConfig(AppConfig):
    """Sanctions lists, and screening against them."""

    name = "onboarding.screening"
    label = "screening"

    def ready(self) -> None:
        from console.accounts.roles import Permission
        from console.audit import messages
        from console.core import schedule
        from console.governance import health_notices
        from console.publishing import published_kinds
        from console.shell import modules
        from onboarding.screening import (
            audit_messages,
            checks,
            lists,
            matches,
            rescreening,
            scheduled,
        )
        from onboarding.screening.model import MODELS

        assert checks  # registers itself
        messages.register(audit_messages.SENTENCES)
        schedule.every_minute("screening.download", scheduled.download_due)
        schedule.every_minute("screening.index_again", scheduled.index_again)
        schedule.every_minute("screening.rescreen", rescreening.rescreen)
        health_notices.register("sanctions lists", lists.concerns)
        health_notices.register_check(lists.health)
        health_notices.register_check(rescreening.health)
        modules.register(
            modules.ConsoleModule(
                key="sanctions",
                name=_("Sanctions lists"),
                route="onboarding:sanctions_lists",
                icon="list-checks",
                group=_("Review"),
                audience="staff",
                permission="check_decide",
                order=12,
                count=matches.count,
                work_of=("check_decide",),
            )
        )
        published_kinds.register(
            published_kinds.Kind(MODELS, Permission.EDITION_PROPOSE, Permission.EDITION_PUBLISH)
        )
