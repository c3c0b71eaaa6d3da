"""Registry of staff decisions on a case, each declared once, next to its function.

The buttons on the case page, the routes, the pages with their forms, and who may open them are all
generated from the declarations. Packages register theirs in AppConfig.ready().
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict

from console.accounts import access
from console.accounts.act_proofs import Act
from console.accounts.models import User
from console.accounts.roles import Permission, Role
from console.core.lifecycle import Lifecycle
from console.core.refusals import Blocker
from onboarding import case_acts
from onboarding.lifecycle import Capacity
from onboarding.models import Application

# Called with a subject, a capacity and a user. The capacity is None if the decision has none.
BlockersOf = Callable[[Any, Any, User], list[Blocker]]


@dataclass(frozen=True)
class DecisionSubject:
    """What a decision is about: an application, or an object that belongs to one.

    `find` takes the application's public id, and raises Http404. `names` are placeholders for the
    decision's texts, as in "Decline: {business}". `listed` is the route and title of its list.
    """

    lifecycle: Lifecycle
    find: Callable[[str], Any]
    application: Callable[[Any], Application]
    names: Callable[[Any], Mapping[str, object]]
    listed: tuple[str, str]


@dataclass(frozen=True)
class DecisionPage:
    """The page of a decision: its heading, what happens next, and its button.

    `shows` returns what its template needs beside them, by name.
    """

    heading: str
    words: str
    button: str
    template: str = "onboarding/decision.html"
    shows: Callable[[Any], dict[str, Any]] = lambda subject: {}


@dataclass(frozen=True, kw_only=True)
class CaseDecision:
    """One decision on a case, from which its button, route and page are generated.

    `route`, `address`: the page's URL name, and its path below the case.
    `verb`: called as `verb(subject, **fields, by=user)`.
    `form`, `form_needs`, `sends`: the form, its extra arguments, and its initial values.
    `fills`: initial values by the query string of the page.
    `open_in`: the subject's statuses in which it is possible.
    `capacities`: one button for each; the separation of duties then applies too.
    `permission`, `permissions`: required for the page, and for single capacities.
    `blockers`: functions that return what prevents it.
    `title`, `done`: the heading above the buttons, and the message afterwards.
    `proves`: what somebody proves in the act itself, by passkey or one-time code, as
    `proves(subject, capacity, fields)`; the verb then takes `proof` too.
    `applies`: whether its button is shown at all, beside the status.
    `instead_of`: the route of a decision that is not offered while this one is.
    """

    route: str
    address: str
    about: DecisionSubject
    label: str
    title: str
    done: Callable[[Any], str]
    verb: Callable[..., Any]
    page: DecisionPage
    permission: Permission
    open_in: frozenset[str]
    form: type[forms.Form] = forms.Form
    form_needs: Callable[[Any], dict[str, Any]] = lambda subject: {}
    sends: Callable[[Any, Capacity | None], dict[str, str]] = lambda subject, capacity: {}
    fills: Callable[[QueryDict], dict[str, str]] = lambda asked: {}
    capacities: tuple[Capacity, ...] = ()
    permissions: Mapping[Capacity, Permission] = field(default_factory=dict)
    blockers: tuple[BlockersOf, ...] = ()
    kind: str = ""
    step_up: int | bool = True
    proves: Callable[[Any, Any, dict[str, Any]], Act] | None = None
    applies: Callable[[Any], bool] = lambda subject: True
    instead_of: str = ""

    def taken_by(self, roles: frozenset[Role]) -> Iterator[Capacity | None]:
        """Yield the capacities in which these roles may decide; None if it has no capacities."""
        for capacity in self.capacities or (None,):
            finer = self.permissions.get(capacity) if capacity else None
            if access.allows(roles, finer or self.permission):
                yield capacity

    def asks(self, subject: Any) -> Iterator[tuple[BlockersOf, Any]]:
        """Yield the functions that return blockers, each with the object to call it with."""
        if self.capacities:
            yield case_acts.blockers, self.about.application(subject)
        for ask in self.blockers:
            yield ask, subject


_decisions: dict[str, CaseDecision] = {}


def register(*decisions: CaseDecision) -> None:
    """Register decisions, in the order of their buttons."""
    for decision in decisions:
        if decision.route in _decisions:
            raise ValueError(f"The decision {decision.route} is registered twice.")
        _decisions[decision.route] = decision


def all_decisions() -> list[CaseDecision]:
    """Return all decisions, in the order of their buttons."""
    return list(_decisions.values())
