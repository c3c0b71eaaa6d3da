"""The e-mails that tell a business what its pack waits for: links, never files."""

from django.urls import reverse

from agreements.models import Pack
from agreements.pki import certificates, seal_keys
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Permission, holders
from console.events.models import Event
from console.shell import mail
from onboarding.intake import applications


def ready_to_read(event: Event) -> None:
    """Tell the signatory that the pack can be read and signed; who is not here yet is let in."""
    pack = _pack(event)
    if pack.revision is not None:
        applications.keep_signatory_invited(pack.application, by=SYSTEM)
        _send("pack_ready", pack.revision.signatory["email"], pack)


def executed(event: Event) -> None:
    """Tell the signatory and everyone who can create keys that the agreement is executed."""
    pack = _pack(event)
    wanted = [*holders(Permission.PACK_SIGN), *holders(Permission.KEY_ISSUE)]
    people = Membership.objects.filter(business=pack.business, role__in=wanted)
    for address in sorted(set(people.values_list("user__email", flat=True))):
        _send("pack_executed", address, pack, root=certificates.fingerprint(seal_keys.seal().root))


def returned(event: Event) -> None:
    """Tell the signatory that we asked for changes; what they are stands in the console."""
    pack = _pack(event)
    if pack.revision is not None:
        _send("pack_returned", pack.revision.signatory["email"], pack)


def _pack(event: Event) -> Pack:
    rows = Pack.objects.select_related("business", "revision", "application")
    return rows.get(public_id=event.subject_id)


def _send(template: str, address: str, pack: Pack, **more: str) -> None:
    path = reverse("agreements:pack", args=[pack.business.public_id])
    mail.send(template, address, {"pack": pack, "path": path, **more})
