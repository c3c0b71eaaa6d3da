"""Sign a whole pack with one act, bound to the hash of the offer."""

from django.db import transaction
from django.utils.translation import gettext as _

from agreements.lifecycle import OFFERED, DocumentStatus, PackStatus
from agreements.models import Pack, Revision, SignatureAct
from agreements.packs import authority, event_chain, offer_hash, packs
from agreements.signing import confirmed_names, identification, reading
from console.accounts import access, business_access
from console.accounts.act_proofs import Act, Proof
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import blobs, clock, digests
from console.core.folding import Likeness
from console.core.refusals import Blocker, NotReady, Stale
from onboarding import restriction_recheck
from onboarding.lifecycle import ApplicationStatus

ACT = "agr.act.v2"
SIGNED_SET = "agr.signed-set.v1"


class CannotSign(NotReady):
    """Raised when something must be done before this person can sign."""


def act_of(pack: Pack, offer_sha256: str) -> Act:
    """Return what the signatory proves: that they sign this offer."""
    return Act("sign", pack.number, offer_sha256)


def given(pack: Pack, person: User) -> SignatureAct | None:
    """Return this person's signature under the newest revision, if there is one."""
    return SignatureAct.objects.filter(revision=pack.revision, person=person).first()


def blockers(pack: Pack, person: User) -> list[Blocker]:
    """Return what prevents this person from signing, in the order to resolve it."""
    found = []
    if pack.status not in OFFERED:
        said = pack.get_status_display().lower()
        return [
            Blocker(
                "status", _("This pack is %(said)s, so there is nothing to sign.") % {"said": said}
            )
        ]
    found += business_access.blockers(pack.business)
    if pack.expires_at and pack.expires_at <= clock.now():
        found.append(Blocker("expired", _("The offer has expired. Write to us for a new one.")))
    if pack.application.status != ApplicationStatus.CLEARED:
        found.append(Blocker("application", _("We are reviewing your application again.")))
    found += authority.blockers(pack)
    if not is_signatory(pack, person):
        found.append(_not_signatory(pack, person))
    if waiting := reading.unread(pack, person):
        titles = ", ".join(document.title for document in waiting[:3])
        more = _(" and %(count)s more") % {"count": len(waiting) - 3} if len(waiting) > 3 else ""
        found.append(
            Blocker(
                "unread",
                _("Read and accept %(titles)s%(more)s first.") % {"titles": titles, "more": more},
            )
        )
    return found


@transaction.atomic
def sign(pack: Pack, *, offer_sha256: str, proof: Proof, by: User) -> SignatureAct:
    """Sign every document of the pack with one act. Repeating it returns the same act.

    The pack is signed once enough of the people whom it names have signed.
    """
    pack = Pack.objects.locked(pack)
    access.require(by, Permission.PACK_SIGN, pack.business)
    revision = pack.revision
    if revision is None or offer_sha256 != revision.offer_sha256:
        raise Stale(
            _("The pack has changed since you opened this page. Read the changes, then sign.")
        )
    if earlier := given(pack, by):
        return earlier
    business_access.require(pack.business)
    if found := blockers(pack, by):
        raise CannotSign(_("You cannot sign yet."), blockers=found)
    restriction_recheck.require_allowed(pack.application)

    act = _act(pack, revision, proof, by=by)
    acts = list(SignatureAct.objects.filter(revision=revision))
    if not authority.is_met(revision, {one.signer["email"] for one in acts}):
        if pack.status != PackStatus.PARTLY_SIGNED:
            packs.move(pack, PackStatus.PARTLY_SIGNED, by=by)
        return act
    pack.signed_at = act.at
    # The offer with the signatures under it: approvers approve this.
    given_acts = sorted(one.act_sha256 for one in acts)
    signed_set = {"offer_sha256": revision.offer_sha256, "acts": given_acts}
    revision.signed_set_sha256 = blobs.put(digests.canonical(SIGNED_SET, signed_set))
    revision.save(update_fields=["signed_set_sha256"])
    for document in packs.documents_of(pack):
        packs.move_document(document, DocumentStatus.SIGNED)
    packs.move(pack, PackStatus.SIGNED, by=by)
    packs.move(pack, PackStatus.IN_APPROVAL, by=SYSTEM)
    return act


def _act(pack: Pack, revision: Revision, proof: Proof, *, by: User) -> SignatureAct:
    statement, at = offer_hash.statement(pack, revision), clock.now()
    named = authority.signatory_at(revision, by.email)
    assert named is not None
    body = digests.canonical(
        ACT,
        {
            "pack": pack.number,
            "offer_sha256": revision.offer_sha256,
            "person": {"id": by.public_id, "name": by.name, "email": by.email},
            "named": named.name,
            "capacity": named.title,
            "authority": revision.signatory["basis"],
            "authority_sha256": revision.signatory.get("authority_sha256", ""),
            "statement": statement,
            "statement_sha256": digests.sha256_hex(statement.encode()),
            "consent": True,  # by accepting the document about it, and stated in the declaration
            "identified": identification.of_signatory(pack, named.place),
            **proof.said(),
            "time": clock.iso(at),
        },
    )
    act = SignatureAct.objects.create(
        revision=revision,
        person=by,
        offer_sha256=revision.offer_sha256,
        statement=statement,
        body=body.decode(),
        act_sha256=blobs.put(body),
        at=at,
    )
    event_chain.append(pack, "pack.act", by=by, act_sha256=act.act_sha256)
    audit.record(
        "pack.act_signed", pack, by=by,
        act_sha256=act.act_sha256, offer_sha256=act.offer_sha256, method=proof.method,
    )  # fmt: skip
    return act


def _not_signatory(pack: Pack, person: User) -> Blocker:
    name = confirmed_names.named_as(pack, person)
    if not name:
        people = [f"{one.name} ({one.email})" for one in authority.signatories(pack.revision)]
        said = _("Your answers name %(people)s as signatory.")
        return Blocker("signatory", said % {"people": ", ".join(people)})
    names = {"name": name, "own": person.name}
    if confirmed_names.compared(pack, person) is Likeness.CLOSE:
        said = _(
            "The documents name you as %(name)s, and your account as %(own)s. The documents keep "
            "%(name)s. Confirm that both names are yours."
        )
        return Blocker("close_name", said % names)
    said = _(
        "Your answers name %(name)s as signatory, but your account name is %(own)s. If both are "
        "you, change the name of your account. If not, the answers must name you."
    )
    return Blocker("other_name", said % names)


def waits_for_another(pack: Pack, person: User) -> bool:
    """Tell whether an offered pack waits for others, and not for this person."""
    if pack.status not in OFFERED:
        return False
    if not confirmed_names.named_as(pack, person):
        return True
    return pack.status == PackStatus.PARTLY_SIGNED and given(pack, person) is not None


def is_signatory(pack: Pack, person: User) -> bool:
    """Tell whether the answers name this person: same address and same or confirmed name."""
    if not confirmed_names.named_as(pack, person):
        return False
    return confirmed_names.compared(pack, person) is Likeness.SAME
