"""App config, console modules, and the one place where “when A happens, B follows” is written."""

from django.apps import AppConfig


class AgreementsConfig(AppConfig):
    """Wires agreements to the building and to the road before them."""

    name = "agreements"

    def ready(self) -> None:
        from agreements import (
            executing,
            following,
            inspect_process,
            letters,
            lifecycle,
            packs,
            self_check,
            sentences,
        )
        from console.audit import sentences as log_sentences
        from console.core import queues, schedule
        from console.events import outbox
        from console.shell import tones

        log_sentences.register(sentences.SENTENCES)
        tones.register("agreements.Pack", lifecycle.TONES)
        tones.register("agreements.Document", lifecycle.DOCUMENT_TONES)
        schedule.every_minute("agreements.expire", packs.expire_all)
        schedule.every_minute("agreements.seal", self_check.watch)
        queues.declare(inspect_process.QUEUE)

        outbox.subscribe("application.cleared", "agreements.pack", following.application_cleared)
        outbox.subscribe("pack.generating", "agreements.pack", following.pack_generating)
        outbox.subscribe("pack.countersigning", "agreements.seal", executing.on_countersigning)
        outbox.subscribe("pack.executed", "agreements.products", following.pack_executed)
        outbox.subscribe("pack.in_review", "agreements.letters", letters.ready_to_read)
        outbox.subscribe("pack.returned", "agreements.letters", letters.returned)
        outbox.subscribe("pack.executed", "agreements.letters", letters.executed)
        outbox.within("application.returned", following.application_returned)
        outbox.within("application.held", following.application_held)
        outbox.within("application.withdrawn", following.application_closed)
        outbox.within("application.declined", following.application_closed)

        _register_concerns()
        _register_places()


def _register_concerns() -> None:
    """What a document cannot be made of, told where it is answered; and what operators see to."""
    from agreements import executed_files, facts_check, self_check, waiting
    from console.governance import concerns
    from onboarding.questionnaire import stated

    stated.register(facts_check.unsettable)
    concerns.register("the seal", self_check.concerns)
    concerns.register("executed files", executed_files.concerns)
    concerns.register("packs that stopped", waiting.concerns)


def _register_places() -> None:
    """Our lines of the rail, and our stages of a business's road."""
    from agreements import standing, waiting
    from console.shell import modules, road

    road.register(road.Stage("papers", "Read and sign", 30, standing.signing_stage))
    road.register(road.Stage("approvals", "Approvals", 40, standing.approving_stage))
    road.register(road.Stage("executed", "Executed", 50, standing.executing_stage))
    modules.register(
        modules.ConsoleModule(
            key="agreements",
            name="Agreements",
            route="agreements:pack",
            icon="file-pen-line",
            group="Business",
            permission="pack_view",
            order=30,
            key_hint="g p",
        )
    )
    modules.register(
        modules.ConsoleModule(
            key="packs",
            name="Packs",
            route="agreements:packs",
            icon="files",
            group="Review",
            audience="staff",
            permission="review_view",
            order=20,
            key_hint="g s",
            count=waiting.count,
        )
    )
