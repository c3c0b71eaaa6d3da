"""App config: statuses, audit messages, event types, versioned files and scheduled jobs."""

from functools import partial

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class PaymentsConfig(AppConfig):
    """Payments of both environments, with their ledger."""

    name = "api.payments"
    # The tables keep the name under which they were made.
    label = "sandbox"

    def ready(self) -> None:
        from api.payments import (
            checkout_kinds,
            commercial_files,
            corridors,
            currencies,
            digital_services,
            exchange_rates,
            financing,
            flights,
            instructions,
            provider_events,
            public_kinds,
            reconciliation,
            screenings,
            sentences,
        )
        from api.providers import configured
        from console.audit import messages
        from console.backups import verifications
        from console.events import outbox
        from console.governance import health_notices

        messages.register(sentences.SENTENCES, confidential=sentences.CONFIDENTIAL)
        for one in (corridors, digital_services, exchange_rates, financing, flights):
            commercial_files.register(one.FILES)
        public_kinds.register()
        checkout_kinds.register()
        outbox.within("grant.open", currencies.open_with_grant)
        outbox.subscribe("instruction.due", "payments.instruct", instructions.send)
        outbox.subscribe("payment_screening.due", "payments.screen", screenings.compare)
        outbox.subscribe("provider_event.received", "payments.provider", provider_events.apply)
        # A mistake in the settings stops the start.
        configured.providers()
        verifications.register("balances", reconciliation.mismatches)
        health_notices.register("balances", reconciliation.concerns)
        health_notices.register_check(reconciliation.health)
        _register_statuses()
        _register_affected()
        _schedule()


def _register_affected() -> None:
    """Register what a change of the restricted list touches."""
    from api.payments import affected_objects
    from onboarding.restrictions import affected

    affected.register(_("Customers"), affected_objects.customers)
    affected.register(_("Cardholders"), affected_objects.cardholders)
    affected.register(_("Beneficiaries"), affected_objects.beneficiaries)


def _register_statuses() -> None:
    from api.payments import lifecycle
    from api.payments.disbursements import DISBURSEMENTS
    from console.core import status_table

    for kind in DISBURSEMENTS:
        status_table.register(
            kind.model._meta.label,
            lifecycle.DISBURSEMENT_LIFECYCLE,
            lifecycle.DISBURSEMENT_STATUSES,
        )
    for label, moves, statuses in (
        ("Card", lifecycle.CARD_LIFECYCLE, lifecycle.CARD_STATUSES),
        ("CheckoutSession", lifecycle.CHECKOUT_LIFECYCLE, lifecycle.CHECKOUT_STATUSES),
        ("PaymentScreening", lifecycle.SCREENING_LIFECYCLE, lifecycle.SCREENING_STATUSES),
        ("ProviderInstruction", lifecycle.INSTRUCTION_LIFECYCLE, lifecycle.INSTRUCTION_STATUSES),
        ("Deposit", lifecycle.DEPOSIT_LIFECYCLE, lifecycle.DEPOSIT_STATUSES),
        ("SubAccount", lifecycle.SUB_ACCOUNT_LIFECYCLE, lifecycle.SUB_ACCOUNT_STATUSES),
        (
            "IdentityVerification",
            lifecycle.VERIFICATION_LIFECYCLE,
            lifecycle.VERIFICATION_STATUSES,
        ),
        (
            "VirtualAccount",
            lifecycle.VIRTUAL_ACCOUNT_LIFECYCLE,
            lifecycle.VIRTUAL_ACCOUNT_STATUSES,
        ),
    ):
        status_table.register(f"sandbox.{label}", moves, statuses)


def _schedule() -> None:
    from api.payments import (
        checkout_sessions,
        identity_verifications,
        instructions,
        reconciliation,
        screenings,
        statements,
        sub_accounts,
        virtual_accounts,
    )
    from api.payments.disbursements import DISBURSEMENTS
    from console.accounts.actors import SYSTEM
    from console.core import schedule

    for kind in DISBURSEMENTS:
        schedule.every_minute(kind.job, kind.settle_due)
    schedule.every_minute(identity_verifications.JOB, identity_verifications.settle_due)
    schedule.every_five_seconds("instructions.ask_due", instructions.ask_due)
    schedule.every_five_seconds("payment_screenings.ask_due", screenings.ask_due)
    schedule.every_minute("checkout_sessions.settle_due", checkout_sessions.settle_due)
    schedule.every_minute("sub_accounts.close_expired", sub_accounts.close_expired)
    schedule.every_night("virtual_accounts.fail_unanswered", virtual_accounts.fail_unanswered)
    schedule.every_night("ledger.compare_statements", statements.compare_all)
    schedule.every_night("ledger.reconcile", partial(reconciliation.reconcile, by=SYSTEM))
