"""Whom an offered pack waits for: the signatories that its answers name, and how far they are."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED, PackStatus
from agreements.models import Pack, SignatureAct
from agreements.packs import authority
from agreements.packs.authority import Signatory
from agreements.signing import signature
from console.accounts import access
from console.accounts.models import Invitation, Membership, User
from console.accounts.roles import Permission, Role
from console.core.folding import Likeness, likeness
from console.core.text import isolated


@dataclass(frozen=True)
class AwaitedSignatory:
    """A person who reads and signs, what they have done so far, and who must act if not they.

    `accepted` counts the documents they accepted. `wants_invitation`: they have no role that can
    sign and no invitation that gives it.
    """

    name: str
    email: str
    words: str
    accepted: int = 0
    wants_invitation: bool = False


def awaited_by(reader: User, pack: Pack) -> list[AwaitedSignatory]:
    """Return the people whom the pack waits for, or nobody if the reader is one of them."""
    return awaited(pack) if signature.waits_for_another(pack, reader) else []


def awaited(pack: Pack) -> list[AwaitedSignatory]:
    """Return the people who may sign and have not, or nobody if the pack waits for no signature.

    Whether an invited person has an account is not told before they accept: a business could
    otherwise find out who has one.
    """
    if pack.status not in OFFERED or pack.revision is None:
        return []
    done = signed(pack)
    named = [one for one in authority.signatories(pack.revision) if one.email not in done]
    members = _members(pack, named)
    accepted: Counter[int] = Counter()
    documents = set[int]()
    if members:
        rows = pack.revision.documents.values_list("pk", "receipts__person")
        for document, person in rows:
            documents.add(document)
            accepted[person] += 1
    total = len(documents)
    return [_awaited(pack, one, members.get(one.email), accepted, total) for one in named]


def signed(pack: Pack) -> set[str]:
    """Return the addresses of those who signed an offer that waits for others."""
    if pack.status != PackStatus.PARTLY_SIGNED:
        return set()
    acts = SignatureAct.objects.filter(revision=pack.revision)
    return {act.signer["email"] for act in acts}


def names_of(people: Sequence[AwaitedSignatory]) -> str:
    """Return the names of the people whom a pack waits for."""
    *most, last = [isolated(one.name) for one in people]
    if not most:
        return last
    return _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last}


def _members(pack: Pack, named: list[Signatory]) -> dict[str, User]:
    """Return those of the named people who have a role that can sign, by address."""
    rows = Membership.objects.filter(business=pack.business_id).select_related("user")
    held: dict[str, list[Membership]] = defaultdict(list)
    for row in rows.filter(user__email__in=[one.email for one in named]):
        held[row.user.email].append(row)
    return {
        email: theirs[0].user
        for email, theirs in held.items()
        if access.allows(frozenset(Role(row.role) for row in theirs), Permission.PACK_SIGN)
    }


def _awaited(
    pack: Pack, named: Signatory, person: User | None, accepted: Counter[int], total: int
) -> AwaitedSignatory:
    if person is None:
        return _invited(pack, named.name, named.email)
    if likeness(person.name, named.name) is Likeness.OTHER:
        return AwaitedSignatory(
            named.name,
            named.email,
            _(
                "Their account has another name, %(own)s. They can change it in their details, "
                "or you can correct the answers."
            ) % {"own": person.name},
        )  # fmt: skip
    count = accepted[person.pk]
    return AwaitedSignatory(named.name, named.email, _progress(count, total), count)


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
