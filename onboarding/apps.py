"""App config, console modules, event subscriptions."""

from django.apps import AppConfig


class OnboardingConfig(AppConfig):
    """Wires this package to the building."""

    name = "onboarding"

    def ready(self) -> None:
        from console.accounts import joining
        from console.audit import sentences as log_sentences
        from console.core import schedule
        from console.events import outbox
        from console.shell import modules, road, search, tones
        from onboarding import (
            applications,
            case_acts,
            finding,
            letters,
            lifecycle,
            reviews,
            sentences,
            standing,
        )
        from onboarding.checks import runs

        log_sentences.register(sentences.SENTENCES)
        joining.register(case_acts.refuse_reviewers)
        tones.register("onboarding.Application", lifecycle.TONES)
        tones.register("onboarding.Check", lifecycle.CHECK_TONES)
        outbox.subscribe("application.submitted", "onboarding.review", reviews.on_submitted)
        outbox.subscribe("check.decided", "onboarding.review", reviews.on_check_decided)
        outbox.subscribe("check.asked_again", "onboarding.review", reviews.on_check_asked_again)
        outbox.subscribe("application.submitted", "onboarding.letters", letters.submitted)
        outbox.subscribe("application.returned", "onboarding.letters", letters.returned)
        outbox.subscribe("application.declined", "onboarding.letters", letters.declined)
        schedule.every_minute("onboarding.expire", applications.expire_forgotten)
        schedule.every_minute("onboarding.check_again", runs.again_by_itself)
        search.register(finding.applications)
        road.register(road.Stage("answers", "Answer the questions", 10, standing.answering))
        road.register(road.Stage("review", "We review your answers", 20, standing.reviewing))
        modules.register(
            modules.ConsoleModule(
                key="access",
                name="API access",
                route="onboarding:access",
                icon="clipboard-list",
                group="Developer",
                permission="application_view",
                order=100,
                key_hint="g a",
            )
        )
        modules.register(
            modules.ConsoleModule(
                key="queue",
                name="Queue",
                route="onboarding:review_queue",
                icon="inbox",
                group="Review",
                audience="staff",
                permission="review_view",
                order=10,
                key_hint="g q",
                count=standing.waiting_for_review,
            )
        )
