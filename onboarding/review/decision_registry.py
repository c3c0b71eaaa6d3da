"""What our staff may decide about a case: each decision declared once, beside its verb.

The bar of the case page, the routes, the pages with their forms and who may open them are all made
from the declarations. Packages register theirs in AppConfig.ready().
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission, Role
from console.core.lifecycle import Lifecycle
from console.core.refusals import Blocker
from onboarding import case_acts
from onboarding.lifecycle import Capacity
from onboarding.models import Application

# Of a subject, a capacity and a person; the capacity is None where the decision takes none.
BlockersOf = Callable[[Any, Any, User], list[Blocker]]


@dataclass(frozen=True)
class DecisionSubject:
    """What is decided about: an application, or what hangs on it.

    `find` is given the application's public id, and refuses with a 404. `names` are what the words
    of a decision may say of it, as in "Decline: {business}". `listed` is the route of the list in
    which it stands, and what the list is called.
    """

    lifecycle: Lifecycle
    find: Callable[[str], Any]
    application: Callable[[Any], Application]
    names: Callable[[Any], Mapping[str, object]]
    listed: tuple[str, str]


@dataclass(frozen=True)
class DecisionPage:
    """The page on which a decision is made: its heading, what happens then, and its button."""

    heading: str
    words: str
    button: str
    template: str = "onboarding/decision.html"


@dataclass(frozen=True, kw_only=True)
class CaseDecision:
    """One decision: everything that is read of it anywhere.

    `route` names its page, `address` is where that is below the case. `verb(subject, **fields,
    by=person)` does it: `form` has the fields, `sends` returns those that are known before
    anybody types, `form_needs` what the form is made from beside what was sent. It can be made
    while the subject's status is one of `open_in`, as long as `blockers` say nothing against it,
    nor four eyes on the case, where it is made in a capacity. `permission` closes its page. Each of
    `capacities` has a button of its own, for whom `permissions` allow that capacity, or else
    `permission`. `title` stands over the buttons, `done` says what was done. Without a `page` the
    button itself decides. While it is offered, the decision whose route is `instead_of` is not.
    """

    route: str
    address: str
    about: DecisionSubject
    label: str
    title: str
    done: Callable[[Any], str]
    verb: Callable[..., Any]
    permission: Permission
    open_in: frozenset[str]
    form: type[forms.Form] = forms.Form
    form_needs: Callable[[Any], dict[str, Any]] = lambda subject: {}
    sends: Callable[[Any, Capacity | None], dict[str, str]] = lambda subject, capacity: {}
    capacities: tuple[Capacity, ...] = ()
    permissions: Mapping[Capacity, Permission] = field(default_factory=dict)
    blockers: tuple[BlockersOf, ...] = ()
    page: DecisionPage | None = None
    kind: str = ""
    step_up: int | bool = True
    by_code: bool = False
    instead_of: str = ""

    @property
    def methods(self) -> tuple[str, ...]:
        return ("GET", "POST") if self.page else ("POST",)

    def taken_by(self, roles: frozenset[Role]) -> Iterator[Capacity | None]:
        """Yield the capacities in which these roles decide; None where it takes none."""
        for capacity in self.capacities or (None,):
            finer = self.permissions.get(capacity) if capacity else None
            if access.allows(roles, finer or self.permission):
                yield capacity

    def asks(self, subject: Any) -> Iterator[tuple[BlockersOf, Any]]:
        """Yield what is asked whether anything stands against it, and about what it is asked."""
        if self.capacities:
            yield case_acts.blockers, self.about.application(subject)
        for ask in self.blockers:
            yield ask, subject


_decisions: dict[str, CaseDecision] = {}


def register(*decisions: CaseDecision) -> None:
    """Add decisions, in the order of the bar."""
    for decision in decisions:
        if decision.route in _decisions:
            raise ValueError(f"The decision {decision.route} is registered twice.")
        _decisions[decision.route] = decision


def all_decisions() -> list[CaseDecision]:
    """Return every decision, in the order of the bar."""
    return list(_decisions.values())
