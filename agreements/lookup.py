"""Find packs, documents and cases: for a page, with a 404 for those the person may not see."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from agreements.models import Document, Pack
from console.accounts.models import Business
from console.events.models import Event
from onboarding.models import Application

WITH = ("business", "application", "revision")


def pack_of(business: Business, number: str = "") -> Pack | None:
    """Return the business's newest pack, or the one with this number; otherwise a 404."""
    rows = Pack.objects.of(business).select_related(*WITH)
    if not number.isprintable():
        raise Http404
    return get_object_or_404(rows, number=number) if number else rows.first()


def newest_pack_of(business: Business) -> Pack:
    """Return the business's newest pack, or raise a 404."""
    pack = pack_of(business)
    if pack is None:
        raise Http404
    return pack


def pack_of_event(event: Event) -> Pack:
    """Return the pack that an event is about."""
    return Pack.objects.select_related(*WITH).get(public_id=event.subject_id)


def document_of(business: Business, public_id: str) -> Document:
    """Return a document that was offered to this business."""
    return get_object_or_404(
        _offered().filter(revision__pack__business=business), public_id=public_id
    )


def application(public_id: str) -> Application:
    """Return a case for our staff."""
    rows = Application.objects.seen_by_staff().select_related(
        "business", "submission__submitted_by", "assessment", "case_owner"
    )
    return get_object_or_404(rows, public_id=public_id)


def pack_of_case(found: Application) -> Pack | None:
    """Return the newest pack of an application."""
    rows = Pack.objects.filter(application=found).order_by("-pk")
    pack = rows.select_related("business", "revision").first()
    if pack is not None:
        pack.application = found
    return pack


def pack_to_decide(public_id: str) -> Pack:
    """Return the pack of a case, for a page that decides on it."""
    pack = pack_of_case(application(public_id))
    if pack is None:
        raise Http404
    return pack


def document_of_case(application_id: str, public_id: str) -> Document:
    """Return a document of a case."""
    rows = _offered().filter(revision__pack__application__public_id=application_id)
    return get_object_or_404(rows, public_id=public_id)


def _offered() -> "QuerySet[Document]":
    # Documents that are still rendering cannot be read.
    rendered = Document.objects.exclude(html_sha256="").exclude(revision__offer_sha256="")
    return rendered.select_related(
        "revision__pack__business", "revision__pack__application", "revision__pack__revision"
    )
