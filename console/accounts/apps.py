"""App config, console modules, letters."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Wires people and businesses to the building."""

    name = "console.accounts"
    label = "accounts"

    def ready(self) -> None:
        from console.accounts import finding, letters, sentences, visiting
        from console.audit import sentences as log_sentences
        from console.events import outbox
        from console.shell import modules, search, tones, visitors

        log_sentences.register(sentences.SENTENCES)
        visitors.register(visiting.visitor)
        search.register(finding.businesses)
        tones.register(
            "accounts.Business", {"active": "ok", "suspended": "warning", "closed": "quiet"}
        )
        outbox.subscribe("person.signed_up", "accounts.letters", letters.confirm_address)
        outbox.subscribe(
            "person.asked_for_confirmation", "accounts.letters", letters.confirm_address
        )
        outbox.subscribe("person.asked_for_reset", "accounts.letters", letters.reset_password)
        outbox.subscribe("person.signed_up_again", "accounts.letters", letters.signed_up_again)
        outbox.subscribe("member.invited", "accounts.letters", letters.invite)
        for kind in ("staff.role_given", "staff.role_taken"):
            outbox.subscribe(kind, "accounts.auditors", letters.tell_auditors)
        for kind, template in letters.NOTICES.items():
            outbox.subscribe(kind, "accounts.letters", letters.notice(template))

        modules.register(
            modules.ConsoleModule(
                key="overview",
                name="Overview",
                route="accounts:business",
                icon="layout-dashboard",
                group="Business",
                permission="business_view",
                order=10,
                key_hint="g o",
            )
        )
        modules.register(
            modules.ConsoleModule(
                key="team",
                name="Team",
                route="accounts:team",
                icon="users",
                group="Business",
                permission="business_view",
                order=20,
                key_hint="g t",
            )
        )
