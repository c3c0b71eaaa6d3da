"""Find a pack, a document or a case for a page; what a person may not see is a 404."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from agreements.models import Document, Pack
from console.accounts.models import Business
from onboarding.models import Application

WITH = ("business", "application", "revision")


def pack_of(business: Business, number: str = "") -> Pack | None:
    """Return the newest pack of a business, or the one of that number; another's is a 404."""
    rows = Pack.objects.of(business).select_related(*WITH)
    if not number.isprintable():
        raise Http404
    return get_object_or_404(rows, number=number) if number else rows.first()


def newest_pack_of(business: Business) -> Pack:
    """Return the newest pack of a business, where a page needs one."""
    pack = pack_of(business)
    if pack is None:
        raise Http404
    return pack


def document_of(business: Business, public_id: str) -> Document:
    """Return a document that was put before this business."""
    return get_object_or_404(
        _offered().filter(revision__pack__business=business), public_id=public_id
    )


def application(public_id: str) -> Application:
    """Return a case of our staff's."""
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
    """Return the pack of a case, where something is decided about it."""
    pack = pack_of_case(application(public_id))
    if pack is None:
        raise Http404
    return pack


def document_of_case(application_id: str, public_id: str) -> Document:
    """Return a document of a case."""
    rows = _offered().filter(revision__pack__application__public_id=application_id)
    return get_object_or_404(rows, public_id=public_id)


def _offered() -> "QuerySet[Document]":
    # A document that is still being rendered is nobody's to read.
    rendered = Document.objects.exclude(html_sha256="").exclude(revision__offer_sha256="")
    return rendered.select_related(
        "revision__pack__business", "revision__pack__application", "revision__pack__revision"
    )
