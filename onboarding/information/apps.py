"""App config: statuses, audit messages, events, e-mails and reminders of requests."""

from django.apps import AppConfig


class InformationConfig(AppConfig):
    """Requests for information."""

    name = "onboarding.information"
    label = "information"

    def ready(self) -> None:
        from console.audit import messages
        from console.core import schedule, status_table
        from console.events import outbox
        from onboarding.information import emails, lifecycle, public_kinds, reminders

        status_table.register(
            "information.InformationRequest", lifecycle.LIFECYCLE, lifecycle.STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        public_kinds.register()
        for kind in ("asked", "reopened", "reminded"):
            outbox.subscribe_mail(
                f"information_request.{kind}", "information.emails", emails.tell_business
            )
        outbox.subscribe_mail("information_request.answered", "information.emails", emails.tell_us)
        schedule.every_night("information.remind", reminders.remind)
