"""App config: registers console modules, nightly jobs and health notices."""

from functools import partial

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class GovernanceConfig(AppConfig):
    """Connects the governance pages to the console."""

    name = "console.governance"
    label = "governance"

    def ready(self) -> None:
        from console.accounts.actors import SYSTEM
        from console.audit import messages
        from console.core import schedule
        from console.events import outbox
        from console.governance import (
            cleaning,
            digest,
            figures,
            log_checks,
            turn_emails,
            turns,
            work,
        )
        from console.observability import figures as registry

        messages.register(work.SENTENCES)
        messages.register(cleaning.SENTENCES)
        schedule.every_night("governance.digest", partial(digest.ask_for_all, by=SYSTEM))
        turns.register(turns.PUBLICATIONS)
        outbox.subscribe_mail("turn.began", "governance.turn.emails", turn_emails.tell)
        outbox.subscribe_mail("staff.digest_due", "governance.emails", digest.tell)
        outbox.subscribe_mail("staff.role_given", "governance.role.emails", digest.tell_new_role)
        schedule.every_night(cleaning.JOB, partial(cleaning.clean, by=SYSTEM))
        # They check their files, because the site's database role could forge the row that says
        # “done”.
        by_file = partial(schedule.every_night, knows_when_done=True)
        by_file("audit.publish_head", partial(log_checks.publish_head, by=SYSTEM))
        by_file("audit.check_chain", log_checks.check_chain)
        outbox.subscribe_mail("audit.head_published", "governance.auditors", log_checks.tell_head)
        outbox.subscribe_mail("audit.chain_broken", "governance.auditors", log_checks.tell_broken)
        _register_notices()
        registry.register("governance", figures.read)
        _register_modules()


def _register_notices() -> None:
    from console.events import background_health, jobs
    from console.governance import cleaning, health_notices, log_checks
    from console.hosts import comparison
    from console.publishing import in_use

    health_notices.register("unwanted e-mail", cleaning.concerns)
    health_notices.register("the audit log", log_checks.concerns)
    health_notices.register("what is done at night", jobs.concerns)
    health_notices.register("scheduler, broker and workers", background_health.concerns)
    health_notices.register_check(log_checks.health)
    health_notices.register("published files", in_use.changed_files)
    health_notices.register("what differs between hosts", comparison.differences)


def _register_modules() -> None:
    from console.governance import work
    from console.shell import modules

    modules.register(
        modules.ConsoleModule(
            key="audit",
            name=_("Audit log"),
            route="governance:log",
            icon="scroll-text",
            group=_("Governance"),
            audience="staff",
            permission="audit_view",
            order=90,
            key_hint="g a",
            # All our staff may read it; auditors and operators work there.
            work_of=("work_view",),
        )
    )
    modules.register(
        modules.ConsoleModule(
            key="work",
            name=_("Background work"),
            route="governance:work",
            icon="activity",
            group=_("Governance"),
            audience="staff",
            permission="work_view",
            order=88,
            key_hint="g b",
            waiting=work.failing,
            work_of=("operate",),
        )
    )
