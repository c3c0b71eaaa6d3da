"""Factories for packs in any status."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest
from django.db import transaction

from agreements.approvals import approvals, countersigning
from agreements.document_templates.selection import RULESETS
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Pack
from agreements.packs import generating, pack_versions, packs
from agreements.pki import seal_keys
from agreements.sealing import execution, self_check
from agreements.signing import reading, signature
from api.demo.company import EXAMPLE
from console.accounts.act_proofs import Proof
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Role
from console.core import clock, digests
from onboarding.lifecycle import ApplicationStatus
from tests import prepared
from tests.factories.applications import an_application, cleared
from tests.factories.people import a_business, a_person, number, one_of_staff, owner_of
from tests.onboarding import answered

# What the verbs are told of a one-time code that a page has checked.
BY_CODE = Proof("code", "")
# A pack's statuses in order; `a_pack` stops at the requested one.
WAY = (
    PackStatus.GENERATING,
    PackStatus.IN_REVIEW,
    PackStatus.READY_TO_SIGN,
    PackStatus.IN_APPROVAL,
    PackStatus.APPROVED,
    PackStatus.COUNTERSIGNING,
    PackStatus.EXECUTED,
)
# Statuses in which a prepared pack is available to copy.
PREPARED = WAY[1:]
APPROVERS = {
    DecisionRole.COMPLIANCE: (Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE),
    DecisionRole.COMMERCIAL: (Role.COMMERCIAL,),
    DecisionRole.LEGAL: (Role.LEGAL,),
}


@contextmanager
def few_documents() -> Iterator[None]:
    """Let the rules choose three documents, for tests that render a pack and are not about that."""
    rules = digests.parse(RULESETS.newest().canonical)
    few = [rule for rule in rules["rules"] if rule["paper"] in ("CVR", "ERC", "MSA")]
    ruleset, chosen = RULESETS.parse(rules | {"rules": few}), pack_versions.versions_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            pack_versions, "versions_of", lambda pack: replace(chosen(pack), ruleset=ruleset)
        )
        yield


def a_pack(at: str = PackStatus.IN_REVIEW, *, tier: str = "LOW", **changes: Any) -> Pack:
    """Return a low-risk firm's pack in that status; the business's owner is its signatory.

    Also takes the statuses outside `WAY`: quarantined, seal_failed, returned and expired.
    `changes` override answers. Without any, use a copy of a prepared pack if one is available.
    """
    known = [stop for stop in PREPARED if stop in (*_steps(PackStatus.GENERATING, at), at)]
    if known and not changes and (pk := prepared.take(tier, known[-1])):
        if known[-1] == PackStatus.APPROVED:
            checked_seal()
        return walked(fresh_pack(Pack(pk=pk)), at)
    return walk_a_pack(at, tier=tier, **changes)


def walk_a_pack(at: str, *, tier: str, **changes: Any) -> Pack:
    """Return a pack brought to that status by the real verbs, with documents of its own."""
    signatory = a_person("Mara Ellwood", email=f"mara{next(number)}@kettle.example")
    business = a_business("Kettle & Kiosk", owner=signatory)
    changes = {"ow_signatory_email": signatory.email} | changes
    if tier == "HIGH":
        changes = answered.HIGH | changes
    application = an_application(ApplicationStatus.SUBMITTED, business=business, **changes)
    return walked(packs.prepare(cleared(application), by=SYSTEM), at)


def walked(pack: Pack, at: str) -> Pack:
    """Take the pack from its current status to that one."""
    for step in _steps(pack.status, at):
        STEPS[step](pack)
        pack = fresh_pack(pack)
    return pack


def fresh_pack(pack: Pack) -> Pack:
    """Reload the pack with its business, application and revision."""
    rows = Pack.objects.select_related("business", "application", "revision")
    return rows.get(pk=pack.pk)


def accepted(pack: Pack, *, by: User | None = None) -> Pack:
    """Read and accept every document as `by`, by default the signatory."""
    by = by or owner_of(pack.business)
    for document in packs.documents_of(pack):
        reading.accept(document, mark=reading.served(document, by), by=by)
    return fresh_pack(pack)


def signed_set(pack: Pack) -> str:
    assert pack.revision is not None
    return pack.revision.signed_set_sha256


def _steps(here: str, at: str) -> list[str]:
    before = {
        PackStatus.QUARANTINED: PackStatus.GENERATING,
        PackStatus.EXPIRED: PackStatus.IN_REVIEW,
        PackStatus.RETURNED: PackStatus.IN_APPROVAL,
        PackStatus.SEAL_FAILED: PackStatus.COUNTERSIGNING,
    }
    last = before.get(PackStatus(at), PackStatus(at))
    way: list[str] = list(WAY[WAY.index(PackStatus(here)) + 1 : WAY.index(last) + 1])
    return way if last == at else [*way, at]


def _sign(pack: Pack) -> None:
    assert pack.revision is not None
    offer = pack.revision.offer_sha256
    signature.sign(pack, offer_sha256=offer, proof=BY_CODE, by=owner_of(pack.business))


def approve(pack: Pack, notes: Iterable[str] = repeat("")) -> None:
    """Give every missing approval, each with the next note."""
    saying = iter(notes)
    for role, held in APPROVERS.items():
        for one in held[len(held) - approvals.places_left(pack, role) :]:
            by, set_, note = one_of_staff(one), signed_set(pack), next(saying)
            approvals.approve(pack, role, signed_set_sha256=set_, proof=BY_CODE, note=note, by=by)


def checked_seal() -> None:
    """Set up a working seal and run its self-check."""
    seal_keys.set_up(EXAMPLE["legal_name"])
    self_check.refresh()


def _approve(pack: Pack) -> None:
    """Give every approval and check the seal, so the page allows countersigning."""
    approve(pack)
    checked_seal()


def _countersign(pack: Pack) -> None:
    checked_seal()
    by = one_of_staff(Role.COUNTERSIGNATORY)
    countersigning.countersign(pack, signed_set_sha256=signed_set(pack), proof=BY_CODE, by=by)


def _stop(pack: Pack, at: PackStatus) -> None:
    pack.failures, pack.trouble = 3, "RenderFailed: it took longer than 60 seconds"
    with transaction.atomic():
        packs.move(pack, at, by=SYSTEM)


def _expire(pack: Pack) -> None:
    Pack.objects.filter(pk=pack.pk).update(expires_at=clock.now())
    packs.expire(pack, by=SYSTEM)


def _send_back(pack: Pack) -> None:
    by, role = one_of_staff(Role.LEGAL), DecisionRole.LEGAL
    note = "Name the second director."
    approvals.send_back(pack, role, signed_set_sha256=signed_set(pack), note=note, by=by)


STEPS: dict[str, Callable[[Pack], object]] = {
    PackStatus.IN_REVIEW: generating.run,
    PackStatus.READY_TO_SIGN: accepted,
    PackStatus.IN_APPROVAL: _sign,
    PackStatus.APPROVED: _approve,
    PackStatus.COUNTERSIGNING: _countersign,
    PackStatus.EXECUTED: lambda pack: execution.seal(pack),
    PackStatus.QUARANTINED: lambda pack: _stop(pack, PackStatus.QUARANTINED),
    PackStatus.SEAL_FAILED: lambda pack: _stop(pack, PackStatus.SEAL_FAILED),
    PackStatus.EXPIRED: _expire,
    PackStatus.RETURNED: _send_back,
}
