"""App config: console modules, event subscriptions, scheduled jobs and versioned files."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class OnboardingConfig(AppConfig):
    """Connects onboarding to the console."""

    name = "onboarding"

    def ready(self) -> None:
        from console.accounts import joining
        from console.audit import messages as log_sentences
        from console.core import status_table
        from console.governance import health_notices
        from console.observability import figures as registry
        from console.observability import probes
        from console.shell import search
        from onboarding import (
            application_search,
            audit_messages,
            case_acts,
            figures,
            lifecycle,
            public_kinds,
            statuses,
        )
        from onboarding.checks import connected

        log_sentences.register(
            audit_messages.SENTENCES,
            confidential=audit_messages.CONFIDENTIAL,
            runs=audit_messages.RUNS,
        )
        public_kinds.register()
        connected.refuse_unknown()
        joining.register(case_acts.refuse_reviewers)
        status_table.register("onboarding.Application", lifecycle.LIFECYCLE, statuses.APPLICATION)
        status_table.register("onboarding.Check", lifecycle.CHECK_LIFECYCLE, statuses.CHECK)
        search.register(application_search.applications)
        registry.register("checks", figures.read)
        probes.register_warning("sanctions lists", connected.unusable_lists)
        health_notices.register("missing sanctions lists", connected.missing_lists)
        _schedule()
        _register_files()
        _subscribe()
        _register_places()
        _register_affected()


def _schedule() -> None:
    """Register scheduled jobs."""
    from console.core import schedule
    from console.governance import health_notices
    from onboarding.checks import runs
    from onboarding.intake import applications
    from onboarding.review import rescreening

    schedule.every_minute("onboarding.expire", applications.expire_forgotten)
    schedule.every_minute("onboarding.check_again", runs.again_by_itself)
    schedule.every_minute("onboarding.expire_checks", runs.expire_outlived)
    schedule.every_minute("onboarding.replace_void_checks", runs.replace_void)
    schedule.every_minute("onboarding.rescreen", rescreening.rescreen)
    health_notices.register_check(rescreening.health)


def _register_files() -> None:
    """Register versioned files: compliance proposes a version, its head puts it in use."""
    from console.accounts.roles import Permission
    from console.publishing import published_kinds
    from onboarding.questionnaire.loading import EDITIONS
    from onboarding.reference.bands import BANDS, RATES
    from onboarding.risk.model import MODELS

    for files in (EDITIONS, MODELS, BANDS, RATES):
        published_kinds.register(
            published_kinds.Kind(files, Permission.EDITION_PROPOSE, Permission.EDITION_PUBLISH)
        )


def _subscribe() -> None:
    """Subscribe to events."""
    from console.events import outbox
    from onboarding import emails
    from onboarding.intake import information_replies as replies
    from onboarding.review import event_handlers as review

    outbox.subscribe("application.submitted", "onboarding.review", review.on_submitted)
    outbox.subscribe("application.released", "onboarding.review", review.on_submitted)
    outbox.subscribe("check.decided", "onboarding.review", review.on_check_decided)
    outbox.subscribe("check.finished", "onboarding.review", review.on_check_finished)
    outbox.subscribe("check.asked_again", "onboarding.review", review.on_check_asked_again)
    outbox.subscribe("access.restored", "onboarding.review", review.on_access_restored)
    outbox.subscribe(
        "application.authority_accepted", "onboarding.review", review.on_authority_accepted
    )
    outbox.within("application.submitted", review.request_products)
    for kind in ("answered", "closed"):
        name = f"information_request.{kind}"
        outbox.subscribe(name, "onboarding.review", review.on_information)
    outbox.within("application.submitted", replies.note_corrections)
    for status in ("declined", "withdrawn", "expired", "executed"):
        outbox.within(f"application.{status}", replies.close_with_application)
    outbox.subscribe_mail("application.submitted", "onboarding.emails", emails.submitted)
    for kind in ("returned", "authority_refused"):
        outbox.subscribe_mail(f"application.{kind}", "onboarding.emails", emails.returned)
    outbox.subscribe_mail("application.declined", "onboarding.emails", emails.declined)
    outbox.subscribe_mail("application.assigned", "onboarding.emails", emails.assigned)
    outbox.subscribe_mail("case_note.added", "onboarding.emails", emails.mentioned)


def _register_places() -> None:
    """Register navigation entries, progress stages and reviewers' decisions."""
    from console.governance import turns
    from console.shell import modules, progress
    from onboarding import application_progress as ours
    from onboarding.intake import answering_stage
    from onboarding.review import case_decisions, case_turns, decision_registry, match_tasks

    decision_registry.register(*case_decisions.DECISIONS)
    for kind in case_turns.KINDS:
        turns.register(kind)
    progress.register(
        progress.Stage("answers", _("Answer the questions"), 10, answering_stage.answering)
    )
    progress.register(progress.Stage("review", _("We review your answers"), 20, ours.reviewing))
    modules.register(
        modules.ConsoleModule(
            key="access",
            name=_("API access"),
            route="onboarding:access",
            icon="clipboard-list",
            group=_("Developer"),
            permission="application_view",
            order=100,
            key_hint="g a",
        )
    )
    modules.register(
        modules.ConsoleModule(
            key="queue",
            name=_("Queue"),
            route="onboarding:review_queue",
            icon="inbox",
            group=_("Review"),
            audience="staff",
            permission="review_view",
            order=10,
            key_hint="g q",
            waiting=ours.waiting_for_review,
            work_of=(
                "application_clear",
                "application_return",
                "application_hold",
                "application_decline",
                "check_decide",
            ),
        )
    )
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
            waiting=match_tasks.in_any_order,
            work_of=("check_decide",),
        )
    )


def _register_affected() -> None:
    """Register what a change of the restricted list touches."""
    from onboarding import affected_applications as ours
    from onboarding.restrictions import affected

    affected.register(_("Open applications"), ours.open_applications)
    affected.register(_("Businesses with access"), ours.businesses_with_access)
