"""App config: registers console modules, e-mails, search and scheduled jobs."""

from django.apps import AppConfig
from django.utils.translation import gettext_noop as _


class AccountsConfig(AppConfig):
    name = "console.accounts"
    label = "accounts"

    def ready(self) -> None:
        from console.accounts import (
            activity,
            audit_messages,
            business_search,
            emails,
            lifecycle,
            provider_accounts,
            throttle,
            viewer_lookup,
        )
        from console.audit import messages as log_sentences
        from console.core import key_uses, schedule, status_table
        from console.events import outbox
        from console.shell import modules, search, viewer

        provider_accounts.require_settings()
        log_sentences.register(audit_messages.SENTENCES, confidential=audit_messages.CONFIDENTIAL)
        viewer.register(viewer_lookup.visitor)
        search.register(business_search.businesses)
        for sealed in (
            ("accounts.Authenticator", "sealed_seed"),
            ("accounts.Session", "provider_tokens"),
        ):
            key_uses.register("VAULT_KEYS", key_uses.sealed_in(*sealed))
        schedule.every_minute("accounts.forget_full_counts", throttle.forget_full)
        schedule.every_minute("accounts.note_activity", activity.note)
        status_table.register("accounts.Business", lifecycle.LIFECYCLE, lifecycle.BUSINESS)
        outbox.subscribe_mail("person.signed_up", "accounts.emails", emails.confirm_address)
        outbox.subscribe_mail(
            "person.asked_for_confirmation", "accounts.emails", emails.confirm_address
        )
        outbox.subscribe_mail("person.asked_for_reset", "accounts.emails", emails.reset_password)
        outbox.subscribe_mail("person.signed_up_again", "accounts.emails", emails.signed_up_again)
        asked = "person.asked_for_email"
        outbox.subscribe_mail(asked, "accounts.emails", emails.confirm_new_address)
        outbox.subscribe_mail(asked, "accounts.old_address.emails", emails.tell_old_address)
        outbox.subscribe_mail("member.invited", "accounts.emails", emails.invite)
        for kind in ("staff.role_given", "staff.role_taken"):
            outbox.subscribe_mail(kind, "accounts.auditors", emails.tell_auditors)
        for kind, template in emails.NOTICES.items():
            outbox.subscribe_mail(kind, "accounts.emails", emails.notice(template))

        modules.register(
            modules.ConsoleModule(
                key="team",
                name=_("Team"),
                route="accounts:team",
                icon="users",
                group=_("Business"),
                permission="business_view",
                order=20,
                key_hint="g t",
            )
        )
