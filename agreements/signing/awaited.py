"""Whom an offered pack waits for: the signatory that its answers name, and how far they are."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED
from agreements.models import Pack, Receipt
from agreements.signing import confirmed_names, signature
from console.accounts import access
from console.accounts.models import Invitation, Membership, User
from console.accounts.roles import Permission, Role
from console.core.folding import Likeness, likeness


@dataclass(frozen=True)
class AwaitedSignatory:
    """The person who reads and signs, what they have done so far, and who must act if not they.

    `accepted` counts the documents they accepted. `wants_invitation`: they have no role that can
    sign and no invitation that gives it.
    """

    name: str
    email: str
    words: str
    accepted: int = 0
    wants_invitation: bool = False


def awaited_by(reader: User, pack: Pack) -> AwaitedSignatory | None:
    """Return the person whom the pack waits for, or None if that is the reader, or nobody."""
    return awaited(pack) if signature.waits_for_another(pack, reader) else None


def awaited(pack: Pack) -> AwaitedSignatory | None:
    """Return the person whom the pack waits for, or None if it waits for no signature.

    Whether an invited person has an account is not told before they accept: a business could
    otherwise find out who has one.
    """
    if pack.status not in OFFERED or pack.revision is None:
        return None
    name, email = confirmed_names.named_in(pack)
    members = Membership.objects.filter(business=pack.business_id, user__email=email)
    held = list(members.select_related("user"))
    if not access.allows(frozenset(Role(one.role) for one in held), Permission.PACK_SIGN):
        return _invited(pack, name, email)
    person = held[0].user
    if likeness(person.name, name) is Likeness.OTHER:
        return AwaitedSignatory(
            name,
            email,
            _(
                "Their account has another name, %(own)s. They can change it in their details, "
                "or you can correct the answers."
            ) % {"own": person.name},
        )  # fmt: skip
    theirs = Receipt.objects.filter(document=OuterRef("pk"), person=person)
    read = pack.revision.documents.values_list(Exists(theirs), flat=True).order_by()
    accepted = sum(read)
    return AwaitedSignatory(name, email, _progress(accepted, len(read)), accepted)


def _progress(accepted: int, total: int) -> str:
    if not accepted:
        return _("They can sign, and have not accepted a document yet.")
    if accepted < total:
        return _("They have accepted %(accepted)s of %(total)s documents.") % {
            "accepted": accepted,
            "total": total,
        }
    return _("They have accepted every document. Their signature is next.")


def _invited(pack: Pack, name: str, email: str) -> AwaitedSignatory:
    """Return somebody who cannot sign yet, with the state of their newest invitation to sign."""
    rows = Invitation.objects.filter(business=pack.business, email=email).exclude(name="")
    invitation = next(
        (one for one in rows.order_by("-pk") if likeness(one.name, name) is Likeness.SAME), None
    )
    if invitation is None:
        return AwaitedSignatory(name, email, _("No invitation is sent yet."), wants_invitation=True)
    if invitation.is_open:
        said = _("Invitation sent on %(sent)s, not accepted yet. It is valid until %(until)s.")
        days = {"sent": invitation.invited_at, "until": invitation.expires_at}
        said %= {key: f"{day:%-d %B %Y}" for key, day in days.items()}
        return AwaitedSignatory(name, email, said)
    if invitation.accepted_at:
        said = _("They accepted the invitation, but no longer have a role that can sign.")
    elif invitation.withdrawn_at:
        said = _("Their invitation was withdrawn.")
    else:
        said = _("Their invitation expired on %(day)s.") % {
            "day": f"{invitation.expires_at:%-d %B %Y}"
        }
    return AwaitedSignatory(name, email, said, wants_invitation=True)
