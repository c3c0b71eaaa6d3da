"""Render the documents of a pack, one by one, so that progress is real and a killed worker goes on.

Rendering happens outside every transaction. Each document is stored under its hash, read back, and
noted in a transaction of its own; the last one makes the offer.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import Document, Pack, Revision
from agreements.our_company import company_versions
from agreements.packs import facts as pack_facts
from agreements.packs import offer_hash, pack_versions, packs
from agreements.rendering import renderer
from agreements.rendering.renderer import Rendered
from agreements.templates import selection
from console.accounts.actors import SYSTEM
from console.core import blobs, digests

FACTS = "agr.facts.v1"
# After so many failures a person must look (P3).
GIVE_UP_AFTER = 3
COVER = "CVR"


def run(pack: Pack) -> None:
    """Bring a pack from `generating` to `in_review`. Safe to run again, from any point."""
    if not company_versions.is_in_use():
        return  # it is told again once they are
    try:
        _generate(pack)
    except Exception as cause:  # whatever it is: the third one is for a person to look at
        _note_failure(pack, cause)
        raise


def _generate(pack: Pack) -> None:
    revision = _revise(pack)
    if revision is None:
        return
    facts = digests.parse(blobs.get(revision.facts_sha256))
    # The cover is rendered last: its index holds the fingerprints of all others.
    for document in revision.documents.order_by("pk").exclude(code=COVER):
        _render(document, facts)
    for document in revision.documents.filter(code=COVER):
        _render(document, facts | {"index": _index(revision)})
    _finish(pack)


@transaction.atomic
def _revise(pack: Pack) -> Revision | None:
    """Return the revision being rendered: one begun earlier, or a new one with its facts frozen."""
    pack = Pack.objects.locked(pack)
    if pack.status != PackStatus.GENERATING:
        return None
    newest, documents = pack.revision, packs.documents_of(pack)
    left = [document for document in documents if document.status != DocumentStatus.DROPPED]
    if newest is not None and left and not newest.offer_sha256:
        return newest
    for document in left:
        packs.move_document(document, DocumentStatus.DROPPED)
    pack.revision = _begin(pack, number=newest.number + 1 if newest else 1)
    pack.save(update_fields=["revision"])
    return pack.revision


def _begin(pack: Pack, *, number: int) -> Revision:
    versions = pack_versions.of(pack)
    facts = pack_facts.of(pack, versions)
    chosen = selection.select(facts, versions.ruleset)
    revision = Revision.objects.create(
        pack=pack,
        number=number,
        facts_sha256=blobs.put(digests.canonical(FACTS, facts)),
        ruleset_sha256=blobs.put(versions.ruleset.canonical),
        trace_sha256=blobs.put(digests.canonical(selection.TRACE_DOMAIN, chosen.evidence)),
        signatory=facts["signatory"],
        products=[product["key"] for product in facts["products"]],
    )
    templates = pack_versions.templates_of(chosen.documents)
    Document.objects.bulk_create(
        Document(
            revision=revision,
            order=one.order,
            code=template.code,
            title=template.title,
            reference=template.reference,
        )
        for one, template in zip(chosen.documents, templates, strict=True)
    )
    return revision


def _render(document: Document, facts: Mapping[str, Any]) -> None:
    if document.status not in (DocumentStatus.RENDERING, DocumentStatus.FAILED):
        return
    rendered = renderer.render(document.reference, facts)
    blobs.put(rendered.html)
    blobs.put(rendered.pdf)
    _keep(document, rendered)


@transaction.atomic
def _keep(document: Document, rendered: Rendered) -> None:
    held = Document.objects.select_for_update(no_key=True, of=("self",)).get(pk=document.pk)
    if held.status == DocumentStatus.FAILED:
        packs.move_document(held, DocumentStatus.RENDERING)
    if held.status != DocumentStatus.RENDERING:
        return
    held.html_sha256, held.unsigned_sha256 = rendered.html_sha256, rendered.unsigned_sha256
    held.pages, held.unsigned_bytes = rendered.pages, len(rendered.pdf)
    packs.move_document(held, DocumentStatus.RENDERED)


def _index(revision: Revision) -> list[dict[str, Any]]:
    rows = revision.documents.in_order()
    return [
        {
            "order": row.order,
            "code": row.code,
            "title": row.title,
            "version": row.version,
            "reference": row.reference,
            "pages": row.pages,
            "unsigned_sha256": row.unsigned_sha256,
        }
        for row in rows
    ]


@transaction.atomic
def _finish(pack: Pack) -> None:
    """Make the offer once every document is rendered, and put it before the business."""
    pack = Pack.objects.locked(pack)
    if pack.status != PackStatus.GENERATING or pack.revision is None:
        return
    revision = pack.revision
    revision.profile_sha256 = blobs.put(renderer.profile_file())
    revision.offer_sha256 = offer_hash.make(pack, revision)
    revision.save()
    pack.failures, pack.trouble = 0, ""
    packs.move(pack, PackStatus.GENERATED, by=SYSTEM)
    packs.offer(pack, by=SYSTEM)


@transaction.atomic
def _note_failure(pack: Pack, cause: Exception) -> None:
    """Count a failure; the third one stops the preparation until a person looks."""
    pack = Pack.objects.locked(pack)
    if pack.status != PackStatus.GENERATING:
        return
    pack.failures += 1
    pack.trouble = f"{type(cause).__name__}: {cause}"[:2000]
    pack.save(update_fields=["failures", "trouble"])
    if pack.failures >= GIVE_UP_AFTER:
        packs.move(pack, PackStatus.QUARANTINED, by=SYSTEM)
