"""E-mails that tell a business what its pack needs next. They contain links, never files."""

import logging

from django.db import transaction
from django.urls import reverse

from agreements import lookup
from agreements.models import Pack
from agreements.pki import certificates, seal_keys
from console.accounts import recipients
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Permission, Role, holders
from console.audit import log as audit
from console.core.refusals import Refused
from console.events.models import Event
from console.shell import mail
from onboarding.intake import applications, signing_authority

log = logging.getLogger(__name__)


def ready_to_read(event: Event) -> None:
    """Tell the signatory that the pack is ready, after renewing their invitation if it expired."""
    pack = lookup.pack_of_event(event)
    if pack.revision is not None:
        _keep_invited(pack)
        obstacle = signing_authority.obstacle(pack.revision.signatory["basis"])
        _send_to_signatory("pack_ready", pack, obstacle=obstacle)


def executed(event: Event) -> None:
    """Tell the signatory, and everyone who can create keys, that the agreement is executed."""
    pack = lookup.pack_of_event(event)
    for address in _addresses(pack, *holders(Permission.PACK_SIGN), *holders(Permission.KEY_ISSUE)):
        _send("pack_executed", address, pack, root=certificates.fingerprint(seal_keys.seal().root))


def returned(event: Event) -> None:
    """Tell the signatory and the owners that we requested changes, which the console shows."""
    pack = lookup.pack_of_event(event)
    if pack.revision is not None:
        _send_to_signatory("pack_returned", pack)
        signatory = pack.revision.signatory["email"].lower()
        for address in _addresses(pack, Role.OWNER):
            if address != signatory:
                _send("pack_returned", address, pack)


def _addresses(pack: Pack, *roles: Role) -> list[str]:
    people = Membership.objects.filter(business=pack.business, role__in=roles, user__is_active=True)
    return sorted(set(people.values_list("user__email", flat=True)))


def _keep_invited(pack: Pack) -> None:
    """Renew an expired invitation. If that is refused, do not retry: the result would be the same.

    The business sees on its page that nobody is invited, and the case's audit log says why.
    """
    try:
        applications.keep_signatory_invited(pack.application, by=SYSTEM)
    except Refused as refused:
        log.warning("signatory_not_invited", extra={"pack": pack.number, "why": refused.code})
        with transaction.atomic():
            audit.record("pack.signatory_not_invited", pack, by=SYSTEM, why=refused.code)


def _send_to_signatory(template: str, pack: Pack, **more: str) -> None:
    """E-mail the signatory named in the answers, member or not, unless they chose "not me"."""
    assert pack.revision is not None
    address = pack.revision.signatory["email"].lower()  # lower case, as in the invitation
    if not recipients.takes_from(pack.business, address):
        log.warning("mail_not_wanted", extra={"pack": pack.number, "template": template})
        return
    joined = Membership.objects.filter(business=pack.business, user__email=address).exists()
    if not joined and not recipients.counts_notice(template, pack.business, address):
        return
    name = pack.revision.signatory["name"]
    not_me = recipients.not_me_path(address, pack.business)
    _send(template, address, pack, name=name, not_me=not_me, **more)


def _send(template: str, address: str, pack: Pack, **more: str) -> None:
    path = reverse("agreements:pack", args=[pack.business.public_id])
    mail.send(template, address, {"pack": pack, "path": path, **more})
