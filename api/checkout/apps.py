"""App config: statuses, audit messages, the e-mail and the nightly job."""

from django.apps import AppConfig


class CheckoutConfig(AppConfig):
    """Domains and looks of the hosted payment pages."""

    name = "api.checkout"
    label = "checkout"

    def ready(self) -> None:
        from api.checkout import domain_checks, emails, lifecycle, logos
        from api.checkout.models import CheckoutSettings
        from console.audit import messages
        from console.backups import named_files
        from console.core import schedule, status_table
        from console.events import outbox

        status_table.register(
            "checkout.CheckoutDomain", lifecycle.DOMAIN_LIFECYCLE, lifecycle.DOMAIN_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        named_files.register(
            lambda: named_files.rows(CheckoutSettings.objects.all(), "logo", folder=logos.FOLDER)
        )
        outbox.subscribe_mail("checkout_domain.revoked", "checkout.emails", emails.tell_revoked)
        outbox.subscribe_mail("deposit.held", "checkout.emails", emails.tell_held)
        schedule.every_night("checkout.check_domains", domain_checks.check_due)
