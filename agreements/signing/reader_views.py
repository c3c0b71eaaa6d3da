"""Pages for reading documents one by one and accepting each."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from agreements import lookup
from agreements.lifecycle import OFFERED, UNSIGNED, DocumentStatus
from agreements.models import Document, Pack
from agreements.signing import reading, reading_list, text_view
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.core import blobs


@business_page(Permission.PACK_READ)
def document(request: ConsoleRequest, business: Business, document_id: str) -> HttpResponse:
    """Show the full text of a document, and the form to accept it."""
    found = lookup.document_of(business, document_id)
    context = {"business": business, **page(found), **_place(request, found)}
    return render(request, "agreements/document.html", context)


@business_page(Permission.PACK_READ, methods=("POST",))
def accept(request: ConsoleRequest, business: Business, document_id: str) -> HttpResponse:
    """Accept a document and continue with the next."""
    found = lookup.document_of(business, document_id)
    reading.accept(found, mark=request.POST.get("mark", ""), by=request.user)
    messages.success(request, _("You accepted: %(title)s.") % {"title": found.title})
    return _onward(request, business, found)


@business_page(Permission.PACK_READ, methods=("POST",))
def take_back(request: ConsoleRequest, business: Business, document_id: str) -> HttpResponse:
    """Withdraw an acceptance and stay on the document."""
    found = lookup.document_of(business, document_id)
    reading.take_back(found, by=request.user)
    messages.info(request, _("You took back your acceptance: %(title)s.") % {"title": found.title})
    return redirect("agreements:document", business.public_id, document_id)


def page(document: Document) -> dict[str, Any]:
    """Return the context of a document's pages: its text, outline and place in the pack."""
    html = blobs.get(document.html_sha256)
    return {
        "document": document,
        "pack": document.revision.pack,
        "words": _in_words(html),
        "outline": text_view.outline(html),
        "replaced": document.status == DocumentStatus.DROPPED,
    }


def around(rows: list[reading_list.ListedDocument], document: Document) -> dict[str, Any]:
    """Return the previous and next documents, and the position of this one."""
    order = [row.document.pk for row in rows]
    at = order.index(document.pk)
    return {
        "listed": rows[at],
        "number": at + 1,
        "total": len(rows),
        "previous": rows[at - 1].document if at else None,
        "following": rows[at + 1].document if at + 1 < len(rows) else None,
    }


def _place(request: ConsoleRequest, document: Document) -> dict[str, Any]:
    pack = document.revision.pack
    siblings = list(document.revision.documents.in_order())
    placed = around(reading_list.seen(siblings, request.user), document)
    open_ = pack.status in OFFERED and document.revision_id == pack.revision_id
    mark = reading.served(document, request.user) if open_ and not placed["listed"].mine else ""
    may_take_back = open_ and pack.status in UNSIGNED and placed["listed"].mine
    return {**placed, "mark": mark, "may_take_back": may_take_back}


def _onward(request: ConsoleRequest, business: Business, document: Document) -> HttpResponse:
    pack: Pack = lookup.newest_pack_of(business)
    rows = reading_list.documents_for(pack, request.user)
    if following := reading_list.next_unread(pack, rows, document.order):
        return redirect("agreements:document", business.public_id, following.public_id)
    may_sign = access.allows(request.roles, Permission.PACK_SIGN)
    return redirect(f"agreements:{'sign' if may_sign else 'pack'}", business.public_id)


def _in_words(html: bytes) -> SafeString:
    # Built from an allowlist of tags with all text escaped; wide tables get their own scrollbar.
    fragment = text_view.text_view(html)
    opened = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table'
    framed = fragment.replace("<table", opened).replace("</table>", "</table></div>")
    return mark_safe(framed)  # noqa: S308
