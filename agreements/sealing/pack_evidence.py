"""Collect the files behind the hashes of a signed pack, for its bundle (docs/evidence.md)."""

from datetime import datetime

from agreements.document_templates import selection
from agreements.models import Decision, Pack, Revision, SignatureAct
from agreements.packs import event_chain, packs
from agreements.sealing.bundle import Evidence
from console.accounts.actors import SYSTEM
from console.audit import chain as audit_chain
from console.audit import heads
from console.core import blobs, clock, digests

AUDIT_HEAD = "agr.audit-head.v1"


def gather(pack: Pack) -> Evidence:
    """Return every file whose hash the manifest depends on, except the documents."""
    revision = pack.revision
    assert revision is not None
    acts = SignatureAct.objects.filter(revision=revision).order_by("at", "pk")
    decisions = Decision.objects.filter(revision=revision).order_by("at", "pk")
    return Evidence(
        offer=blobs.get(revision.offer_sha256),
        reasons=_reasons(revision),
        signed_set=blobs.get(revision.signed_set_sha256),
        audit_head=_audit_head(),
        events=event_chain.lines(pack),
        acts={f"{number:02d}.json": act.body.encode() for number, act in enumerate(acts, 1)},
        approvals={
            f"{number:02d}-{one.role}.json": one.body.encode()
            for number, one in enumerate(decisions, 1)
        },
        html={one.file_name: blobs.get(one.html_sha256) for one in packs.documents_of(pack)},
    )


def _reasons(revision: Revision) -> dict[str, bytes]:
    """Return the files behind the offer's hashes of its facts, profile, rules and trace."""
    edition = digests.parse(blobs.get(revision.trace_sha256))["edition"]
    blobs.put(selection.RULESETS.load(edition).canonical)
    named = {
        "facts.json": revision.facts_sha256,
        "profile.json": revision.profile_sha256,
        "ruleset.json": revision.ruleset_sha256,
        "trace.json": revision.trace_sha256,
    }
    return {name: blobs.get(sha256) for name, sha256 in named.items()}


def _audit_head() -> bytes:
    """Return the audit log's current head, which makes later changes to past entries detectable."""
    head = audit_chain.head()
    said = {"chain": head.chain, "count": head.count, "hash": head.hash}
    return digests.canonical(AUDIT_HEAD, said | {"time": clock.iso(clock.now())})


def publish_audit_head(pack: Pack, said: bytes) -> None:
    """Record the bundle's head as published, which makes truncation of the log detectable."""
    head = digests.parse(said)
    heads.publish(
        heads.Channel.BUNDLE,
        about=pack.number,
        by=SYSTEM,
        head=heads.Anchor(head["count"], head["hash"]),
        at=datetime.fromisoformat(head["time"]),
    )
