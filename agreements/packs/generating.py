"""Render a pack's documents one by one, with visible progress and safe restarts.

Rendering runs outside transactions. Each document is stored under its hash, read back, and recorded
in its own transaction. The last transaction makes the offer.
"""

from django.db import transaction

from agreements.document_templates import selection
from agreements.document_templates.facts_schema import IndexRow
from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import Document, Pack, Revision
from agreements.our_company import company_versions
from agreements.packs import offer_hash, pack_facts, pack_versions, packs
from agreements.rendering import renderer
from console.accounts import business_access
from console.accounts.actors import SYSTEM
from console.accounts.business_access import AccessStopped
from console.core import blobs, digests

FACTS = "agr.facts.v1"
# After this many failures, an operator must look.
GIVE_UP_AFTER = 3
COVER = "CVR"


class _Overtaken(Exception):
    """Raised when the pack was withdrawn or restarted while it was rendering."""


def run(pack: Pack) -> None:
    """Take a pack from `generating` to `in_review`. Safe to run again after any interruption."""
    if not company_versions.is_in_use():
        return  # a new event follows once the details are in use
    try:
        revision = _revise(pack)
        _render(revision)
        _finish(pack, revision, profile_sha256=blobs.put(renderer.profile_file()))
    except (_Overtaken, AccessStopped):
        return  # a new event follows once the access is restored
    except OSError:
        # Such as a full document store: the event is handled again until it passes. Operators see
        # it on the page Background work, and by the alert ConsoleWorkLate.
        raise
    except Exception as cause:  # any error counts; the third stops the pack
        _note_failure(pack, cause)
        raise


@transaction.atomic
def _revise(pack: Pack) -> Revision:
    """Return the revision in progress, or create one with frozen facts."""
    pack = _held(pack)
    begun = pack.revision
    if begun and begun.documents.exclude(status=DocumentStatus.DROPPED).exists():
        return begun
    versions = pack_versions.versions_of(pack)
    facts = pack_facts.facts_of(pack, versions)
    chosen = selection.select(facts, versions.ruleset)
    pack.revision = Revision.objects.create(
        pack=pack,
        number=begun.number + 1 if begun else 1,
        facts_sha256=blobs.put(digests.canonical(FACTS, facts)),
        ruleset_sha256=blobs.put(versions.ruleset.canonical),
        trace_sha256=blobs.put(digests.canonical(selection.TRACE_DOMAIN, chosen.evidence)),
        signatory=facts["signatory"],
        products=[product["key"] for product in facts["products"]],
    )
    pack.save(update_fields=["revision"])
    templates = pack_versions.templates_of(pack, chosen.documents)
    Document.objects.bulk_create(
        Document(
            revision=pack.revision,
            order=order,
            code=template.code,
            title=template.title,
            reference=template.reference,
        )
        for order, template in enumerate(templates, 1)
    )
    return pack.revision


def _render(revision: Revision) -> None:
    """Render the remaining documents. The cover is last, because its index has all their hashes."""
    facts = digests.parse(blobs.get(revision.facts_sha256))
    left = revision.documents.filter(status=DocumentStatus.RENDERING).in_order()
    for document in (*left.exclude(code=COVER), *left.filter(code=COVER)):
        index = {"index": _index(revision)} if document.code == COVER else {}
        rendered = renderer.render(document.reference, facts | index)
        blobs.put(rendered.html)
        blobs.put(rendered.pdf)
        # Skip it if it was dropped meanwhile, or another worker was faster.
        Document.objects.filter(pk=document.pk, status=DocumentStatus.RENDERING).update(
            status=DocumentStatus.RENDERED,
            html_sha256=rendered.html_sha256,
            unsigned_sha256=rendered.unsigned_sha256,
            unsigned_bytes=len(rendered.pdf),
            pages=rendered.pages,
        )


def _index(revision: Revision) -> list[IndexRow]:
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
        for row in revision.documents.in_order()
    ]


@transaction.atomic
def _finish(pack: Pack, revision: Revision, *, profile_sha256: str) -> None:
    """Make and publish the offer of the rendered revision."""
    pack = _held(pack)
    if revision.documents.exclude(status=DocumentStatus.RENDERED).exists():
        raise _Overtaken
    revision.profile_sha256 = profile_sha256
    revision.offer_sha256 = offer_hash.make(pack, revision)
    revision.save()
    pack.failures, pack.trouble = 0, ""
    packs.move(pack, PackStatus.GENERATED, by=SYSTEM)
    packs.offer(pack, by=SYSTEM)


def _held(pack: Pack) -> Pack:
    """Lock a pack, if it is still being prepared."""
    pack = Pack.objects.locked(pack)
    if pack.status != PackStatus.GENERATING:
        raise _Overtaken
    business_access.require(pack.business, is_told=False)
    return pack


@transaction.atomic
def _note_failure(pack: Pack, cause: Exception) -> None:
    """Count a failure; the third stops the preparation until an operator retries."""
    pack = Pack.objects.locked(pack)
    if pack.status != PackStatus.GENERATING:
        return
    packs.note_failure(pack, cause)
    if pack.failures >= GIVE_UP_AFTER:
        packs.move(pack, PackStatus.QUARANTINED, by=SYSTEM)
