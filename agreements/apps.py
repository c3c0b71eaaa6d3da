"""App config: registers agreements with the console and subscribes its event handlers."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class AgreementsConfig(AppConfig):
    """Connects agreements to the console and to the packages it builds on."""

    name = "agreements"

    def ready(self) -> None:
        from agreements import audit_messages, figures, lifecycle, public_kinds, statuses
        from agreements import checks as checks
        from agreements.packs import packs
        from agreements.pki import shared_seal
        from agreements.sealing import self_check
        from console.audit import messages as log_sentences
        from console.core import schedule, status_table
        from console.hosts import shared_values
        from console.observability import figures as registry

        log_sentences.register(audit_messages.SENTENCES)
        public_kinds.register()
        status_table.register("agreements.Pack", lifecycle.LIFECYCLE, statuses.PACK)
        status_table.register(
            "agreements.Document", lifecycle.DOCUMENT_LIFECYCLE, statuses.DOCUMENT
        )
        schedule.every_minute("agreements.expire", packs.expire_all)
        schedule.every_minute("agreements.check_seal", self_check.refresh)
        schedule.every_minute("agreements.watch_seal", self_check.watch)

        registry.register("agreements", figures.read)
        shared_values.register("SEAL_CERT_FILE", shared_seal.of_certificate)
        shared_values.register("SEAL_ROOT_FILE", shared_seal.of_roots)
        _register_files()
        _register_verification()
        _subscribe()
        _register_concerns()
        _register_places()


def _register_files() -> None:
    """Register our versioned files and who proposes each: legal the wording, commercial prices."""
    from agreements.document_templates.selection import RULESETS
    from agreements.document_templates.template_library import TemplateVersions, codes
    from agreements.our_company import checks, company_versions  # noqa: F401  # registers a check
    from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS
    from console.accounts.roles import Permission
    from console.publishing import published_kinds
    from console.publishing.published_kinds import Kind

    legal = (Permission.TEMPLATE_PROPOSE, Permission.TEMPLATE_PUBLISH)
    published_kinds.register(Kind(RULESETS, *legal))
    published_kinds.register(Kind(LAW_TABLES, *legal))
    published_kinds.register(
        Kind(PRICE_LISTS, Permission.PRICE_LIST_PROPOSE, Permission.PRICE_LIST_PUBLISH)
    )
    published_kinds.register(company_versions.KIND)
    for code in codes():
        published_kinds.register(Kind(TemplateVersions(code), *legal))


def _register_verification() -> None:
    """Register what a restore verifies: our stored files, and every executed pack."""
    from agreements.packs import stored_files
    from agreements.verification import pack_verification
    from console.backups import named_files, verifications

    named_files.register(stored_files.named)
    verifications.register("packs", pack_verification.problems)


def _subscribe() -> None:
    """Subscribe the event handlers."""
    from agreements import emails, event_handlers
    from console.events import outbox

    outbox.subscribe("application.cleared", "agreements.pack", event_handlers.application_cleared)
    outbox.subscribe("pack.generating", "agreements.pack", event_handlers.pack_generating)
    outbox.subscribe("pack.countersigning", "agreements.seal", event_handlers.pack_countersigning)
    outbox.subscribe("access.restored", "agreements.pack", event_handlers.access_restored)
    outbox.subscribe(
        "publication.put_in_use", "agreements.company", event_handlers.publication_put_in_use
    )
    outbox.subscribe_mail("pack.in_review", "agreements.emails", emails.ready_to_read)
    outbox.subscribe_mail("pack.partly_signed", "agreements.emails", emails.partly_signed)
    outbox.subscribe_mail("pack.returned", "agreements.emails", emails.returned)
    outbox.subscribe_mail("pack.executed", "agreements.emails", emails.executed)
    outbox.within("pack.executed", event_handlers.pack_executed)
    outbox.within("application.returned", event_handlers.application_returned)
    outbox.within("application.sent_back", event_handlers.application_returned)
    outbox.within("application.held", event_handlers.application_held)
    outbox.within("application.withdrawn", event_handlers.application_closed)
    outbox.within("application.declined", event_handlers.application_closed)


def _register_concerns() -> None:
    """Register text checks for facts in documents, and the health checks for operators."""
    from agreements.casework import work_queue
    from agreements.document_templates import facts_check
    from agreements.our_company import company_versions
    from agreements.sealing import self_check
    from console.governance import health_notices
    from onboarding.questionnaire import lettering

    lettering.register(facts_check.unsettable)
    health_notices.register("our company", company_versions.concerns)
    health_notices.register("the seal", self_check.concerns)
    health_notices.register_check(self_check.health)
    health_notices.register("packs that stopped", work_queue.concerns)


def _register_places() -> None:
    """Register our navigation items, progress stages and case decisions."""
    from agreements.approvals import case_decisions
    from agreements.casework import pack_turns, work_queue
    from agreements.signing import pack_progress
    from console.core import pages_above
    from console.governance import turns
    from console.shell import modules, progress
    from onboarding.review import decision_registry

    pages_above.register(case="agreements:case")
    decision_registry.register(*case_decisions.DECISIONS)
    turns.register(pack_turns.KIND)
    progress.register(
        progress.Stage("signing", _("Read and sign"), 30, pack_progress.signing_stage)
    )
    progress.register(
        progress.Stage("approvals", _("Approvals"), 40, pack_progress.approving_stage)
    )
    progress.register(progress.Stage("executed", _("Executed"), 50, pack_progress.executing_stage))
    modules.register(
        modules.ConsoleModule(
            key="agreements",
            name=_("Agreements"),
            route="agreements:pack",
            icon="file-pen-line",
            group=_("Business"),
            permission="pack_view",
            order=30,
            key_hint="g p",
        )
    )
    modules.register(
        modules.ConsoleModule(
            key="packs",
            name=_("Packs"),
            route="agreements:packs",
            icon="files",
            group=_("Review"),
            audience="staff",
            permission="review_view",
            order=20,
            key_hint="g s",
            waiting=work_queue.waiting,
            work_of=(
                "approve_compliance",
                "approve_commercial",
                "approve_legal",
                "pack_countersign",
                "pack_operate",
            ),
        )
    )
    modules.register(
        modules.ConsoleModule(
            key="verify",
            name=_("Check a signed document"),
            route="agreements:verify",
            icon="file-search",
            audience="public",
            card="agreements/_verify_card.html",
        )
    )
