"""Pages of the restricted list: its entries and history, a proposal with its preview, the form."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core import clock
from console.publishing import version_list
from console.publishing.models import Publication
from console.publishing.version_list import Proposal
from console.shell import keyset_pages
from console.shell.forms import attempt, posted
from onboarding.restrictions import affected, list_versions, refusing
from onboarding.restrictions.forms import SCOPES, RestrictedEntryForm, entered
from onboarding.restrictions.list_versions import KIND, VERSIONS
from onboarding.restrictions.models import RestrictedListVersion
from onboarding.restrictions.restricted_list import RestrictedEntry, RestrictedList


@dataclass(frozen=True)
class ShownEntry:
    """An entry as the pages show it."""

    entry: RestrictedEntry
    uses: str
    postcodes: str
    is_in_force: bool


@staff_page(Permission.REVIEW_VIEW)
def entries(request: ConsoleRequest) -> HttpResponse:
    """Show the list in use, whether a change is proposed, and earlier changes."""
    found = refusing.current()
    rows = Publication.objects.filter(kind=KIND.key).exclude(in_use_from=None, withdrawn_at=None)
    page = keyset_pages.page_of(rows.with_people(), "-proposed_at", request.GET.get("after", ""))
    changes = RestrictedListVersion.objects.filter(version__in=[row.version for row in page.rows])
    by_version = {row.version: row for row in changes}
    context = {
        "list": found,
        "entries": [_shown(one) for one in found.entries],
        "proposal": _proposal(request),
        "page": page,
        "history": [(row, by_version.get(row.version)) for row in page.rows],
        "may_change": access.allows(request.roles, KIND.propose),
    }
    return render(request, "restrictions/entries.html", context)


@staff_page(Permission.REVIEW_VIEW)
def proposed(request: ConsoleRequest) -> HttpResponse:
    """Show the proposed change with everything that it touches."""
    proposal = _proposal(request)
    if proposal is None:
        return redirect("restrictions:entries")
    version = proposal.publication.version
    # None for an earlier list, which is proposed again on the page of versions.
    change = RestrictedListVersion.objects.filter(version=version).first()
    before, after = refusing.current(), VERSIONS.load(version)
    was, becomes = (_entry_of(one, change.code if change else "") for one in (before, after))
    on = max(clock.now().date(), _effective(was, becomes))
    context = {
        "proposal": proposal,
        "change": change,
        "was": _shown(was) if was else None,
        "becomes": _shown(becomes) if becomes else None,
        "on": on,
        "groups": affected.preview(before, after, on=on),
        "most": affected.MOST_NAMED,
    }
    return render(request, "restrictions/proposed.html", context)


@staff_page(Permission.RESTRICTION_CHANGE, methods=("GET", "POST"), step_up=True)
def change(request: ConsoleRequest) -> HttpResponse:
    """Propose a new entry, or a change or the end of one."""
    entry = _entry_of(refusing.current(), request.GET.get("code", ""))
    form = RestrictedEntryForm(posted(request), initial=_begun_with(request, entry))
    if form.is_valid() and _propose(form, request):
        said = _("Your proposal is saved. Nothing changes until someone else approves it.")
        messages.success(request, said)
        return redirect("restrictions:proposed")
    context = {"form": form, "entry": entry}
    return render(request, "restrictions/change.html", context, status=422 if form.errors else 200)


def _propose(form: RestrictedEntryForm, request: ConsoleRequest) -> bool:
    said, reason = form.entry, form.cleaned_data["reason"]
    made = attempt(form, lambda: list_versions.propose(said, reason=reason, by=request.user))
    return made is not None


def _begun_with(request: ConsoleRequest, entry: RestrictedEntry | None) -> dict[str, Any]:
    """Return the form's initial values; with `?end=1` the entry ends today."""
    today = clock.now().date()
    if entry is None:
        return {"since": today, "scopes": list(SCOPES)}
    return entered(entry) | ({"until": today} if "end" in request.GET else {})


def _proposal(request: ConsoleRequest) -> Proposal | None:
    found = version_list.proposals(request.roles, request.user)
    return next((one for one in found if one.kind == KIND), None)


def _entry_of(found: RestrictedList, code: str) -> RestrictedEntry | None:
    return next((one for one in found.entries if one.code == code), None)


def _effective(was: RestrictedEntry | None, becomes: RestrictedEntry | None) -> date:
    """Return from which day a change matters: the new end of an entry, or else its beginning."""
    if becomes is None:
        return date.min
    is_ended = was is not None and becomes.until != was.until
    return becomes.until if is_ended and becomes.until else becomes.since


def _shown(entry: RestrictedEntry) -> ShownEntry:
    named = [str(label) for scope, label in SCOPES.items() if scope in entry.scopes]
    uses = _("Everything") if len(named) == len(SCOPES) else "; ".join(named)
    postcodes = " ".join(sorted(entry.postcodes))
    return ShownEntry(entry, uses, postcodes, entry.is_in_force(clock.now().date()))
