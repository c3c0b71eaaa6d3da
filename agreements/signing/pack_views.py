"""Pack page of a business, and its progress fragment."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from agreements import lookup
from agreements.lifecycle import OFFERED, OUTDATED, PackStatus
from agreements.models import Pack, SignatureAct
from agreements.packs import authority
from agreements.signing import (
    awaited,
    confirmed_names,
    pack_history,
    pack_progress,
    reading_list,
    signature,
    signing_requirements,
)
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import business_page
from console.accounts.roles import Permission
from console.shell import page_refresh
from onboarding import application_progress as application_standing


@business_page(Permission.PACK_VIEW)
def pack(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show the pack's status, its documents, and what to do next."""
    found = lookup.pack_of(business, request.GET.get("pack", ""))
    context: dict[str, Any] = {"business": business, "pack": found}
    application = None if found else application_standing.newest(business)
    state = found.status if found else application.told_status if application else ""
    if asked := page_refresh.answer(request, state):
        return asked
    if found is None:
        context["application"] = application
        return render(request, "agreements/no_pack.html", context)
    return render(request, "agreements/pack.html", {**context, **_context(request, found)})


@business_page(Permission.PACK_SIGN, methods=("POST",))
def confirm_name(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Confirm that the documents and the account name the same person."""
    confirmed_names.confirm(lookup.newest_pack_of(business), by=request.user)
    messages.success(request, _("You confirmed that both names are yours."))
    return redirect("agreements:pack", business.public_id)


@business_page(Permission.PACK_VIEW)
def progress(request: ConsoleRequest, business: Business) -> HttpResponse:
    """Show how many documents are rendered; tell the page to reload once all are."""
    found = lookup.newest_pack_of(business)
    rows = reading_list.documents_for(found, request.user)
    context = {"business": business, "pack": found, "rendered": pack_progress.rendered(rows)}
    response = render(request, "agreements/_progress.html", context)
    if found.status not in pack_progress.BEING_RENDERED:
        response.headers["HX-Refresh"] = "true"
    return response


def _signers(request: ConsoleRequest, pack: Pack) -> list[dict[str, Any]]:
    """Return each signatory with their signature, if they have signed."""
    acts = {act.signer["email"]: act for act in SignatureAct.objects.filter(revision=pack.revision)}
    named = authority.signatories(pack.revision)
    mine = [request.user.email] if signature.is_signatory(pack, request.user) else []
    return [
        {"named": one, "act": acts.get(one.email), "is_reader": one.email in mine} for one in named
    ]


def _context(request: ConsoleRequest, pack: Pack) -> dict[str, Any]:
    rows = reading_list.documents_for(pack, request.user)
    open_ = pack.status in OFFERED
    ways = (
        signing_requirements.requirements_for(pack, rows, request.user, request.roles)
        if open_
        else []
    )
    people = awaited.awaited_by(request.user, pack)
    return {
        "told": pack_progress.told(pack),
        "heading": pack_progress.heading(pack, rows),
        "listed": rows,
        "accepted": sum(1 for row in rows if row.mine),
        "steps": pack_progress.steps(pack, rows),
        "rendering": pack.status in pack_progress.BEING_RENDERED,
        "waits": pack.status in pack_progress.WITH_US,
        "rendered": pack_progress.rendered(rows),
        "offered": open_,
        "outdated": pack.status in OUTDATED,
        "executed": pack.status == PackStatus.EXECUTED,
        "blockers": ways,
        "lacks_factor": open_ and signing_requirements.lacks_second_factor(pack, request.user),
        "next_document": reading_list.next_unread(pack, rows),
        "signers": _signers(request, pack),
        "rule": authority.rule_in_words(pack.revision),
        "may_read": access.allows(request.roles, Permission.PACK_READ),
        "awaited": people,
        "awaited_names": awaited.names_of(people) if people else "",
        "history": pack_history.history_of(pack),
        "others": Pack.objects.of(pack.business).exclude(pk=pack.pk),
    }
