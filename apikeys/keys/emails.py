"""E-mails about a key, to the owners of its business and the technical contact."""

from django.urls import reverse

from apikeys import notice_emails
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey
from console.accounts.models import OptionalMail
from console.accounts.roles import Role
from console.events.models import Event
from console.shell import mail

# Why a key was revoked, if its own people did not revoke it.
_TOLD_REASONS = ("exposed", "not_stored")


def tell(event: Event) -> None:
    """Notify about a live key that was created, or a key that expires soon, is unused or ended.

    Only owners hear of a new key. Keys that their own people revoked are not told.
    """
    reason = event.payload.get("reason", "")
    if event.kind == "key.revoked" and reason not in _TOLD_REASONS:
        return
    created = event.kind == "key.created"
    if created and event.payload["environment"] != Environment.LIVE:
        return
    rows = ApiKey.objects.select_related("grant__business", "issued_by")
    key = rows.get(public_id=event.subject_id)
    business = key.business
    context = {
        "key": key,
        "business": business,
        "what": reason or event.kind.partition(".")[2],
        "days": int(event.payload.get("days", 0)),
        "path": reverse("apikeys:key", args=[business.public_id, key.public_id]),
    }
    if created:
        context["maker"] = key.issued_by.name
        for address in notice_emails.people(business, Role.OWNER):
            mail.send("live_key_created", address, context)
        return
    optional = OptionalMail.KEYS if event.kind in ("key.expiring", "key.unused") else None
    notice_emails.send("key_notice", business, context, Role.OWNER, optional=optional)
