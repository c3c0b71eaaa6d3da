"""App config: audit messages, scheduled jobs, notices, settings and the versioned model."""

from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    """Sanctions lists, and screening against them."""

    name = "onboarding.screening"
    label = "screening"

    def ready(self) -> None:
        from console.accounts.roles import Permission
        from console.audit import messages
        from console.core import schedule
        from console.governance import health_notices
        from console.observability import figures as registry
        from console.publishing import published_kinds
        from onboarding.screening import audit_messages, checks, figures, lists, scheduled
        from onboarding.screening.model import MODELS

        assert checks  # registers itself
        messages.register(audit_messages.SENTENCES)
        schedule.every_minute("screening.download", scheduled.download_due)
        schedule.every_minute("screening.index_again", scheduled.index_again)
        health_notices.register("sanctions lists", lists.concerns)
        health_notices.register_check(lists.health)
        registry.register("sanctions lists", figures.read)
        published_kinds.register(
            published_kinds.Kind(MODELS, Permission.EDITION_PROPOSE, Permission.EDITION_PUBLISH)
        )
