"""Saved views: the filters of the lists of our staff, which each person names for themselves."""

from dataclasses import dataclass

from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import SavedView, User
from console.accounts.models.folded import NameOrder
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core.refusals import NotReady
from console.shell import modules
from console.shell.modules import ConsoleModule

# Maximum number of views of one list, and length of a query.
MOST = 20
LONGEST = 500
# Where somebody was in the list, or how they read it, is no part of a view.
_LEFT_OUT = ("after", "as")


@dataclass(frozen=True)
class ListViews:
    """What a list shows: its person's views, and the query that can be saved, if it is no view."""

    module: str
    links: list[tuple[SavedView, bool]]
    query: str


def shown(request: ConsoleRequest, module: str) -> ListViews:
    """Return the views of the request's person for a list, with whether each is open. One query."""
    query = cleaned(request.GET)
    views = SavedView.objects.filter(person=request.user, module=module).order_by(
        NameOrder("name"), "pk"
    )
    links = [(one, one.query == query) for one in views]
    can_save = len(query) <= LONGEST and not any(is_open for _view, is_open in links)
    return ListViews(module, links, query if can_save else "")


def cleaned(sent: QueryDict) -> str:
    """Return the filters of a query string, without empty ones, in one order."""
    kept = QueryDict(mutable=True)
    for name in sorted(sent):
        values = [value for value in sent.getlist(name) if value.strip()]
        if values and name not in _LEFT_OUT:
            kept.setlist(name, values)
    return kept.urlencode()


def url_of(view: SavedView) -> str:
    """Return the address of a view, or "" if its list is gone."""
    module = _lists().get(view.module)
    return f"{reverse(module.route)}?{view.query}" if module else ""


def title_of(view: SavedView) -> str:
    """Return the name of a view's list."""
    module = _lists().get(view.module)
    return _(module.name) if module else view.module


@transaction.atomic
def save(person: User, *, module: str, name: str, query: str, by: User) -> SavedView:
    """Save a list's filters under a name. The same name again replaces them."""
    access.require(by, Permission.REVIEW_VIEW)
    User.objects.locked(person)  # so that two saves at once are counted
    query = cleaned(QueryDict(query[: LONGEST * 2]))
    if module not in _lists() or not query or len(query) > LONGEST:
        raise NotReady(_("Filter the list first, then save the view."))
    mine = SavedView.objects.filter(person=person, module=module)
    if not mine.filter(name=name).exists() and mine.count() >= MOST:
        raise NotReady(
            _("A list has at most %(count)s saved views. Delete one first.") % {"count": MOST}
        )
    view, _made = SavedView.objects.update_or_create(
        person=person, module=module, name=name, defaults={"query": query}
    )
    audit.record("person.saved_view", person, by=by, view=view.public_id, module=module)
    return view


@transaction.atomic
def rename(view: SavedView, *, name: str, by: User) -> SavedView:
    """Give a view another name."""
    _require_own(view, by)
    taken = SavedView.objects.filter(person=by, module=view.module, name=name).exclude(pk=view.pk)
    if taken.exists():
        raise NotReady(_("Another view of this list has that name."))
    view.name = name
    view.save(update_fields=["name"])
    audit.record("person.renamed_view", by, by=by, view=view.public_id)
    return view


@transaction.atomic
def delete(view: SavedView, *, by: User) -> None:
    """Delete a view."""
    _require_own(view, by)
    audit.record("person.deleted_view", by, by=by, view=view.public_id)
    view.delete()


def _require_own(view: SavedView, by: User) -> None:
    access.require(by, Permission.REVIEW_VIEW)
    assert view.person_id == by.pk, "a view is changed by its own person"
    User.objects.locked(by)


def _lists() -> dict[str, ConsoleModule]:
    """Return the pages of our staff, by key."""
    return {one.key: one for one in modules.all_modules() if one.audience == "staff"}
