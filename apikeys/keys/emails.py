"""E-mails about a key, to the owners of its business and the technical contact."""

from django.urls import reverse

from apikeys import notice_emails
from apikeys.models import ApiKey
from console.accounts.models import OptionalMail
from console.accounts.roles import Role
from console.events.models import Event

# Why a key was revoked, if its own people did not revoke it.
_TOLD_REASONS = ("exposed", "not_stored")


def tell(event: Event) -> None:
    """Notify about a key that expires soon, is unused, or was disabled or revoked by us."""
    reason = event.payload.get("reason", "")
    if event.kind == "key.revoked" and reason not in _TOLD_REASONS:
        return
    key = ApiKey.objects.select_related("grant__business").get(public_id=event.subject_id)
    business = key.business
    context = {
        "key": key,
        "business": business,
        "what": reason or event.kind.partition(".")[2],
        "days": int(event.payload.get("days", 0)),
        "path": reverse("apikeys:key", args=[business.public_id, key.public_id]),
    }
    optional = OptionalMail.KEYS if event.kind in ("key.expiring", "key.unused") else None
    notice_emails.send("key_notice", business, context, Role.OWNER, optional=optional)
