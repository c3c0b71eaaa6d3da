"""Seal a countersigned pack; safe to interrupt at any point.

Sealing is not repeatable (two runs give different bytes), so results are stored under their hash
and one transaction refers to them. A worker claims the pack until its connection ends, and
increments a fence. A worker that lost its connection and resumes late changes nothing, and the
files that it stored remain unused.
"""

import logging
import secrets
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from agreements.lifecycle import DecisionKind, DocumentStatus, PackStatus
from agreements.models import Decision, Document, Pack, Receipt, SignatureAct
from agreements.packs import event_chain, packs
from agreements.pki import time_stamping
from agreements.sealing import bundle, execution_certificate, manifest, pack_evidence, pdf_seal
from agreements.sealing.bundle import Evidence
from agreements.sealing.manifest import Manifest, SealedDocument
from agreements.sealing.pdf_seal import Tools
from agreements.verification import executed_files, signed_acts
from agreements.verification.executed_files import Contents
from agreements.verification.trust import trust
from console.accounts import business_access
from console.accounts.actors import SYSTEM
from console.accounts.business_access import AccessStopped
from console.core import blobs, clock, digests
from console.events import work_claims
from onboarding.intake import applications

log = logging.getLogger(__name__)

# After this many failures, an operator must look.
GIVE_UP_AFTER = 5
INSIST_ON_TIME = 2


class AlreadySealing(Exception):
    """Raised when another worker is sealing this pack; the event is handled again later."""


class InventedActs(Exception):
    """Raised when a signature or decision lacks its file or its audit entry."""


@dataclass(frozen=True)
class Executed:
    """The results of sealing a pack, stored and read back, as hashes to refer to."""

    documents: dict[int, str]
    manifest_sha256: str
    certificate_sha256: str
    bundle_sha256: str
    contents: Contents
    audit_head: bytes
    state: dict[str, Any]
    at: Any


def seal(pack: Pack) -> None:
    """Take a pack from `countersigning` to `executed`. Safe to run again after any interruption."""
    with work_claims.claim(work_claims.SEALING, pack.pk) as claimed:
        if not claimed:
            raise AlreadySealing(f"{pack} is being sealed by another worker.")
        waiting = Pack.objects.filter(pk=pack.pk, status=PackStatus.COUNTERSIGNING)
        if waiting.update(fence=F("fence") + 1):
            _seal_as(pack, waiting.values_list("fence", flat=True).get())


def _seal_as(pack: Pack, fence: int) -> None:
    try:
        _require_access(pack)
        _execute(pack, _make(pack), fence)
    except AccessStopped:
        return  # a new event follows once the access is restored
    except OSError:
        # Such as a full document store: the event is handled again until it passes. Operators see
        # it on the page Background work, and by the alert ConsoleWorkLate.
        raise
    except Exception as cause:  # any error counts; the fifth stops the sealing
        _note_failure(pack, fence, cause)
        raise


@transaction.atomic
def _require_access(pack: Pack) -> None:
    business_access.require(pack.business, is_told=False)


def _make(pack: Pack) -> Executed:
    """Seal every document, write the manifest, render and seal the certificate, pack the zip."""
    pack = Pack.objects.select_related("business", "application", "revision").get(pk=pack.pk)
    if found := list(signed_acts.problems(pack)):
        raise InventedActs(" ".join(found))
    # Require a time stamp at first; after several failures, seal without it.
    tools = pdf_seal.tools(time_may_wait=pack.failures >= INSIST_ON_TIME)
    sealed_documents, sealed = [], {}
    for document in packs.documents_of(pack):
        one, data = _seal_document(document, tools)
        sealed_documents.append(one)
        sealed[document.pk] = (document.file_name, data)
    evidence = pack_evidence.gather(pack)
    stated = _manifest(pack, sealed_documents, evidence, tools)
    rendered = execution_certificate.render(_certificate_facts(pack), stated, evidence.events)
    proof = pdf_seal.seal_pdf(rendered, with_=tools)
    pdf_seal.check_sealed(rendered, proof, trust())
    whole = bundle.Bundle(
        manifest=stated,
        documents=dict(sealed.values()),
        certificate=proof,
        evidence=evidence,
        seal=tools.seal,
        verify_url=_verify_url(),
        token=time_stamping.token(tools.time, stated.data()),
    ).zip()
    return Executed(
        documents={pk: digests.sha256_hex(data) for pk, (_, data) in sealed.items()},
        manifest_sha256=blobs.put(stated.data()),
        certificate_sha256=blobs.put(proof),
        bundle_sha256=blobs.put(whole),
        contents=executed_files.read(pack, whole, stated.executed_at),
        audit_head=evidence.audit_head,
        state={"time": stated.time_state, "events": vars(stated.events), "salt": stated.salt},
        at=stated.executed_at,
    )


def _seal_document(document: Document, tools: Tools) -> tuple[SealedDocument, bytes]:
    """Seal the bytes that were read, check the result, store it and read it back."""
    unsigned = blobs.get(document.unsigned_sha256)
    sealed = pdf_seal.seal_pdf(unsigned, with_=tools)
    pdf_seal.check_sealed(unsigned, sealed, trust())
    blobs.put(sealed)
    one = SealedDocument.of(
        document.file_name,
        code=document.code,
        title=document.title,
        html=blobs.get(document.html_sha256),
        unsigned=unsigned,
        sealed=sealed,
    )
    return one, sealed


def _manifest(
    pack: Pack, sealed_documents: list[SealedDocument], evidence: Evidence, tools: Tools
) -> Manifest:
    revision = pack.revision
    assert revision is not None
    decisions = list(Decision.objects.filter(revision=revision).order_by("at", "pk"))
    (countersigned,) = [d for d in decisions if d.verdict == DecisionKind.COUNTERSIGNED]
    acts = SignatureAct.objects.filter(revision=revision).order_by("at", "pk")
    return Manifest(
        pack=pack.number,
        revision=revision.number,
        offer_sha256=revision.offer_sha256,
        acts=[act.act_sha256 for act in acts],
        signed_set_sha256=revision.signed_set_sha256,
        approvals=[
            manifest.Approval(str(d.role), d.decision_sha256)
            for d in decisions
            if d.verdict == DecisionKind.APPROVED
        ],
        countersign_sha256=countersigned.decision_sha256,
        sealed=sealed_documents,
        events=manifest.Events(**event_chain.head(pack)),
        audit_head_sha256=digests.sha256_hex(evidence.audit_head),
        executed_at=clock.now(),
        time_state=tools.time_state,
        seal=tools.seal,
        salt=secrets.token_hex(16),
        supersedes=pack.supersedes,
    )


def _certificate_facts(pack: Pack) -> execution_certificate.CertificateFacts:
    revision = pack.revision
    assert revision is not None
    facts = digests.parse(blobs.get(revision.facts_sha256))
    business = facts["business"]
    acts = SignatureAct.objects.filter(revision=revision)
    decisions = Decision.objects.filter(revision=revision)
    return execution_certificate.CertificateFacts(
        supplier=facts["supplier"],
        business=business["legal_name"],
        registration_number=business["registration_number"],
        country_name=business["country_name"],
        signatures=[_signature(act, business["legal_name"]) for act in acts.order_by("at", "pk")],
        decisions=[
            execution_certificate.CertifiedDecision(
                d.get_role_display(), d.decider["name"], d.method_words, d.at, d.decision_sha256
            )
            for d in decisions.order_by("at", "pk")
        ],
        verify_url=_verify_url(),
    )


def _signature(act: SignatureAct, party: str) -> execution_certificate.Signature:
    said = digests.parse(act.body.encode())
    return execution_certificate.Signature(
        said["person"]["name"], said["capacity"], party, act.method_words, act.at, act.act_sha256,
        _opened(act),
    )  # fmt: skip


def _opened(act: SignatureAct) -> str:
    """Say which documents the signatory opened and accepted before they signed, and when."""
    rows = Receipt.objects.filter(document__revision=act.revision, person=act.person)
    receipts = list(rows.order_by("opened_at"))
    if not receipts:
        return ""
    count, total = len(receipts), act.revision.documents.count()
    first, last = receipts[0].opened_at, max(one.accepted_at for one in receipts)
    return (
        f"Opened and accepted {count} of {total} documents from {first:%-d %B %Y, %H:%M:%S} to "
        f"{last:%-d %B %Y, %H:%M:%S} UTC. The record of events has the times of each."
    )


@transaction.atomic
def _execute(pack: Pack, made: Executed, fence: int) -> None:
    """Refer to the results, once. The fence excludes a late worker."""
    held = Pack.objects.locked(pack)
    if held.status != PackStatus.COUNTERSIGNING or held.fence != fence:
        log.warning("late_sealing", extra={"pack": held.number})
        return
    business_access.require(held.business, is_told=False)
    for document in packs.documents_of(held):
        document.sealed_sha256 = made.documents[document.pk]
        packs.move_document(document, DocumentStatus.IN_FORCE)
    held.manifest_sha256, held.certificate_sha256 = made.manifest_sha256, made.certificate_sha256
    held.bundle_sha256, held.seal_state = made.bundle_sha256, made.state
    held.executed_at, held.failures, held.trouble = made.at, 0, ""
    executed_files.register(held, made.contents)
    packs.move(held, PackStatus.EXECUTED, by=SYSTEM)
    pack_evidence.publish_audit_head(held, made.audit_head)
    applications.mark_executed(held.application, by=SYSTEM)


@transaction.atomic
def _note_failure(pack: Pack, fence: int, cause: Exception) -> None:
    """Count a failure; the fifth stops the sealing until a retry."""
    held = Pack.objects.locked(pack)
    if held.status != PackStatus.COUNTERSIGNING or held.fence != fence:
        return
    packs.note_failure(held, cause)
    if held.failures >= GIVE_UP_AFTER:
        packs.move(held, PackStatus.SEAL_FAILED, by=SYSTEM)


def _verify_url() -> str:
    return f"{settings.BASE_URL.rstrip('/')}{reverse('agreements:verify')}"
