"""The names of each signatory: in the documents, on the account, and whether they are one person's.

The documents keep the name in the answers. Where the account's name differs from it in middle names
or initials, the signatory confirms once that both are theirs, which the pack's evidence keeps.
"""

import json

from django.db import transaction
from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED
from agreements.models import Pack, PackEvent
from agreements.packs import authority, event_chain
from console.accounts import access, business_access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core.folding import Likeness, likeness
from console.core.refusals import NotAllowed

CONFIRMED = "pack.name_confirmed"


def named_as(pack: Pack, person: User) -> str:
    """Return the name under which the documents name this person's address, or ""."""
    named = authority.signatory_at(pack.revision, person.email)
    return named.name if named else ""


def compared(pack: Pack, person: User) -> Likeness:
    """Compare the account's name with the name in the documents. A confirmed one is the same."""
    name = named_as(pack, person)
    found = likeness(name, person.name)
    if found is Likeness.CLOSE and _is_confirmed(pack, person, name):
        return Likeness.SAME
    return found


@transaction.atomic
def confirm(pack: Pack, *, by: User) -> None:
    """Record that the name in the documents and the account's name are both this person's."""
    pack = Pack.objects.locked(pack)
    access.require(by, Permission.PACK_SIGN, pack.business)
    business_access.require(pack.business)
    name = named_as(pack, by)
    if pack.status not in OFFERED or not name:
        raise NotAllowed(_("Only the signatory of an open offer can confirm their name."))
    found = compared(pack, by)
    if found is Likeness.OTHER:
        raise NotAllowed(_("The two names differ in more than middle names or initials."))
    if found is Likeness.CLOSE:
        event_chain.append(pack, CONFIRMED, by=by, named=name, own=by.name)
        audit.record("pack.name_confirmed", pack, by=by, named=name, own=by.name)


def _is_confirmed(pack: Pack, person: User, name: str) -> bool:
    rows = PackEvent.objects.filter(pack=pack, body__contains=f'"{CONFIRMED}"')
    said = [json.loads(body)["body"] for body in rows.values_list("body", flat=True)]
    wanted = (CONFIRMED, person.public_id, name, person.name)
    return wanted in [
        tuple(one.get(key) for key in ("type", "actor", "named", "own")) for one in said
    ]
