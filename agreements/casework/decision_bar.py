"""Decision bar of a case: what this person can do now, and why the rest is unavailable."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from agreements import statuses
from agreements.approvals.case_decisions import APPROVALS, PACK
from agreements.lifecycle import BEYOND_RECALL, DecisionRole, PackStatus
from agreements.models import Pack
from agreements.sealing import self_check
from console.accounts.models import User
from console.accounts.roles import Role
from console.core.refusals import Blocker
from onboarding.models import Application
from onboarding.review import decision_registry
from onboarding.review.case_decisions import APPLICATION
from onboarding.review.decision_registry import BlockersOf, CaseDecision, DecisionSubject

# Order of the buttons about one subject; decisions without a capacity come last.
PLACES = [*DecisionRole, None]


@dataclass(frozen=True)
class DecisionButton:
    """A button, disabled if `why` is set."""

    decision: CaseDecision
    capacity: DecisionRole | None
    label: str
    url: str
    why: str


@dataclass(frozen=True)
class DecisionBar:
    """The bar's title, text and buttons."""

    title: str
    words: str
    buttons: tuple[DecisionButton, ...]

    @property
    def approves_as(self) -> list[DecisionRole]:
        """The capacities in which this person can approve now."""
        return [
            one.capacity
            for one in self.buttons
            if one.decision in APPROVALS and one.capacity and not one.why
        ]


class AskedBlockers:
    """One person's blockers, looked up at most once per page."""

    def __init__(self, person: User) -> None:
        self.person = person
        self._known: dict[tuple[BlockersOf, Any, Any], list[Blocker]] = {}

    def of(self, ask: BlockersOf, subject: Any, capacity: DecisionRole | None) -> list[Blocker]:
        key = (ask, subject, capacity)
        if key not in self._known:
            self._known[key] = ask(subject, capacity, self.person)
        return self._known[key]


def bar_for(
    application: Application, pack: Pack | None, roles: frozenset[Role], asked: AskedBlockers
) -> DecisionBar:
    """Return this person's bar, without buttons if their roles allow no decision here."""
    buttons: list[DecisionButton] = []
    if pack is None or pack.status not in BEYOND_RECALL:
        buttons += _buttons(APPLICATION, application, application, roles, asked)
    if pack is not None:
        buttons += _buttons(PACK, pack, application, roles, asked)
    replaced = {one.decision.instead_of for one in buttons}
    buttons = [one for one in buttons if one.decision.route not in replaced]
    reasons = dict.fromkeys(one.why for one in buttons if one.why)
    return DecisionBar(
        _title(buttons, application, pack), " ".join(reasons) or _words(pack), tuple(buttons)
    )


def _buttons(
    about: DecisionSubject,
    subject: Any,
    application: Application,
    roles: frozenset[Role],
    asked: AskedBlockers,
) -> list[DecisionButton]:
    """Return the buttons for a subject, grouped by capacity."""
    found = [
        _button(decision, capacity, subject, application, asked)
        for decision in decision_registry.all_decisions()
        if decision.about is about
        and subject.status in decision.open_in
        and decision.applies(subject)
        for capacity in decision.taken_by(roles)
    ]
    return sorted(found, key=lambda one: PLACES.index(one.capacity))


def _button(
    decision: CaseDecision,
    capacity: DecisionRole | None,
    subject: Any,
    application: Application,
    asked: AskedBlockers,
) -> DecisionButton:
    questions = decision.asks(subject)
    first = next((one for ask, about in questions for one in asked.of(ask, about, capacity)), None)
    url = reverse(decision.route, args=[application.public_id])
    if len(decision.capacities) > 1:
        url += f"?role={capacity}"
    return DecisionButton(
        decision,
        capacity,
        _(decision.label).format(capacity=capacity.label.lower() if capacity else ""),
        url,
        first.message if first else "",
    )


def _title(buttons: list[DecisionButton], application: Application, pack: Pack | None) -> str:
    """Return the title of the last button; buttons about the pack come last."""
    if not buttons:
        return ""
    last = buttons[-1].decision
    taken = [one.capacity for one in buttons if one.decision is last and one.capacity]
    names = last.about.names(pack if last.about is PACK else application)
    return _(last.title).format(
        capacities=_(" and ").join(one.label.lower() for one in taken), **names
    )


def _words(pack: Pack | None) -> str:
    if pack is None:
        return _("Read the findings and the answers first. Each decision explains what it does.")
    told = _(statuses.PACK[pack.status].staff.words)
    if pack.status == PackStatus.APPROVED:
        told += f" {self_check.status()}"
    return told or _("Each decision explains what it does before you confirm it.")
