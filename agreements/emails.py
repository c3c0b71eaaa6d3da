"""E-mails that tell a business what its pack needs next. They contain links, never files."""

import logging

from django.db import transaction
from django.urls import reverse

from agreements import lookup
from agreements.models import Pack
from agreements.packs import authority
from agreements.packs.authority import Signatory
from agreements.pki import certificates, seal_keys
from agreements.signing import awaited
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
    """Tell the signatories that the pack is ready, after renewing expired invitations."""
    pack = lookup.pack_of_event(event)
    if pack.revision is not None:
        _keep_invited(pack)
        obstacle = signing_authority.obstacle(pack.revision.signatory)
        for who in authority.signatories(pack.revision):
            _send_to_signatory("pack_ready", pack, who, obstacle=obstacle)


def partly_signed(event: Event) -> None:
    """Tell the signatories who have not signed that the pack waits for them."""
    pack = lookup.pack_of_event(event)
    assert pack.revision is not None
    done = awaited.signed(pack)
    for who in authority.signatories(pack.revision) if done else ():
        if who.email not in done:
            _send_to_signatory("pack_awaits_you", pack, who)


def executed(event: Event) -> None:
    """Tell the signatory, and everyone who can create keys, that the agreement is executed."""
    pack = lookup.pack_of_event(event)
    for address in _addresses(pack, *holders(Permission.PACK_SIGN), *holders(Permission.KEY_ISSUE)):
        _send("pack_executed", address, pack, root=certificates.fingerprint(seal_keys.seal().root))


def returned(event: Event) -> None:
    """Tell the signatories and the owners that we requested changes, which the console shows."""
    pack = lookup.pack_of_event(event)
    if pack.revision is not None:
        people = authority.signatories(pack.revision)
        for who in people:
            _send_to_signatory("pack_returned", pack, who)
        for address in _addresses(pack, Role.OWNER):
            if address not in [who.email for who in people]:
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


def _send_to_signatory(template: str, pack: Pack, who: Signatory, **more: str) -> None:
    """E-mail a signatory named in the answers, member or not, unless they chose "not me"."""
    address = who.email
    if not recipients.takes_from(pack.business, address):
        log.warning("mail_not_wanted", extra={"pack": pack.number, "template": template})
        return
    joined = Membership.objects.filter(business=pack.business, user__email=address).exists()
    if not joined and not recipients.counts_notice(template, pack.business, address):
        return
    not_me = recipients.not_me_path(address, pack.business)
    _send(template, address, pack, name=who.name, not_me=not_me, **more)


def _send(template: str, address: str, pack: Pack, **more: str) -> None:
    path = reverse("agreements:pack", args=[pack.business.public_id])
    mail.send(template, address, {"pack": pack, "path": path, **more})
