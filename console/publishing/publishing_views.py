"""The page of versions: list, propose, put in use and withdraw."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.publishing import differences, publications, published_kinds, version_list
from console.publishing.differences import ChangedText
from console.publishing.forms import ProposalForm, PutInUseForm
from console.publishing.models import Publication
from console.publishing.version_list import Replacement
from console.shell.forms import attempt, posted

# The permission depends on the kind, so it is checked in `publications`.
STAFF = Permission.REVIEW_VIEW


@staff_page(STAFF)
def versions(request: ConsoleRequest) -> HttpResponse:
    """Show every kind of file with the version in use."""
    context = {
        "lines": version_list.lines(request.roles),
        "proposals": version_list.proposals(request.roles, request.user),
    }
    return render(request, "publishing/versions.html", context)


@staff_page(STAFF, step_up=True, methods=("POST",))
def propose(request: ConsoleRequest) -> HttpResponse:
    """Propose a version."""
    form = ProposalForm(request.POST)
    kind = published_kinds.find(form.cleaned_data["kind"]) if form.is_valid() else None
    if kind is None:
        messages.error(request, _("Choose one of the versions on this page."))
        return redirect("publishing:versions")
    publications.propose(kind, form.cleaned_data["version"], by=request.user)
    said = _("%(name)s %(version)s is proposed. Somebody else must put it in use.")
    messages.success(request, said % {"name": kind.name, "version": form.cleaned_data["version"]})
    return redirect("publishing:versions")


@staff_page(STAFF, step_up=True, methods=("GET", "POST"))
def put_in_use(request: ConsoleRequest, publication_id: str) -> HttpResponse:
    """Show what a proposal replaces, and put it in use."""
    found = version_list.replacement(_find(publication_id), request.roles, request.user)
    if request.method == "POST":
        access.require(request.user, found.kind.put_in_use)
    has_page = bool(found.kind.page)
    form = PutInUseForm(posted(request), is_older=found.is_older, has_page=has_page)
    if form.is_valid() and _put_in_use(form, found.publication, request):
        said = _("%(name)s is in use from now on.")
        messages.success(request, said % {"name": _named(found.publication)})
        return redirect(_page_of(found.publication))
    context = {
        "form": form,
        "found": found,
        "name": _named(found.publication),
        "page": _page_of(found.publication),
        # What staff enter is compared on its own page, for those who may read it.
        "changes": [] if has_page else _changes(found),
        "compared": not has_page and found.before is not None,
    }
    status = 422 if form.errors else 200
    return render(request, "publishing/put_in_use.html", context, status=status)


@staff_page(STAFF, step_up=True, methods=("POST",))
def withdraw(request: ConsoleRequest, publication_id: str) -> HttpResponse:
    """Withdraw a proposal."""
    publication = publications.withdraw(_find(publication_id), by=request.user)
    messages.success(
        request, _("The proposal of %(name)s is withdrawn.") % {"name": _named(publication)}
    )
    return redirect(_page_of(publication))


def _changes(found: Replacement) -> list[ChangedText]:
    before = found.before.version if found.before else ""
    return differences.changes(found.kind, before, found.publication.version)


def _put_in_use(form: PutInUseForm, publication: Publication, request: ConsoleRequest) -> bool:
    said = {name: form.cleaned_data[name] for name in ("reason", "older") if name in form.fields}
    done = attempt(form, lambda: publications.put_in_use(publication, **said, by=request.user))
    return done is not None


def _find(publication_id: str) -> Publication:
    return get_object_or_404(Publication, public_id=publication_id)


def _page_of(publication: Publication) -> str:
    kind = published_kinds.find(publication.kind)
    return (kind.page if kind else "") or "publishing:versions"


def _named(publication: Publication) -> str:
    kind = published_kinds.find(publication.kind)
    return f"{kind.name} {publication.version}" if kind else str(publication)
