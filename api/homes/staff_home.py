"""What the home page of our staff shows, by what each role may do.

Work lists and their counts come from the navigation; here are their oldest rows, whether all is
well, and what happened.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from agreements.approvals.approvals import PERMISSIONS
from agreements.casework import work_queue
from agreements.models import Pack
from agreements.required_approvals import APPROVERS
from apikeys.models.staged_business import BusinessStage
from apikeys.register import business_register
from console.accounts import access
from console.accounts.lifecycle import Access
from console.accounts.models import Business, User
from console.accounts.roles import Permission, Role
from console.audit import heads, history
from console.core.status_table import Tone
from console.governance import health_notices, log_checks
from console.governance.health_notices import HealthCheck
from console.shell import modules
from console.shell.navigation import counted
from onboarding.review import queue
from onboarding.screening import lists

ROWS = 5
HAPPENED = 8

# What each desk wants to hear of, by the permission that makes it that desk.
_CASES = ("application.cleared", "application.declined", "application.returned", "check.waived",
          "possible_match.confirmed", "business.suspended")  # fmt: skip
_PACKS = ("pack.executed", "pack.returned", "pack.expired", "pack.quarantined")
_ACCOUNTS = ("grant.live_opened", "product.withdrawn",
             "module_setting.set_by_hand", "go_live_request.requested")  # fmt: skip
_ACTS = ("staff.role_given", "staff.role_taken", "check_waiver.confirmed", "publication.put_in_use",
         "business.suspended", "business.closed", "grant.suspended", "audit.restored")  # fmt: skip
_WORK = ("work.tried_again", "audit.head_published", "pack.sealing_retried",
         "sanctions_list.in_force", "webhook_endpoint.stopped")  # fmt: skip
_TOLD: dict[Permission, tuple[str, ...]] = {
    Permission.APPLICATION_CLEAR: _CASES,
    Permission.APPROVE_COMMERCIAL: _PACKS,
    Permission.APPROVE_LEGAL: _PACKS,
    Permission.PACK_COUNTERSIGN: _PACKS,
    Permission.ACCOUNT_MANAGE: _ACCOUNTS,
    Permission.OPERATE: _WORK,
}


@dataclass(frozen=True)
class WorkRow:
    """One thing that waits: its name, its page, what it waits for, and since when."""

    name: str
    url: str
    words: str
    since: datetime | None = None


@dataclass(frozen=True)
class WorkCard:
    """The oldest rows of a work list, and the page with all of them."""

    title: str
    rows: list[WorkRow]
    url: str
    empty: str


@dataclass(frozen=True)
class StateLine:
    """One line under “Is everything all right?”."""

    name: str
    value: str
    url: str
    tone: Tone = "ok"


@dataclass(frozen=True)
class Happened:
    """An entry of the audit log, with the business that it is about."""

    sentence: str
    at: datetime
    business: str
    url: str


class StaffHome:
    """The parts of a home page for one of our staff."""

    def __init__(self, person: User, roles: frozenset[Role]) -> None:
        self._person, self._roles = person, roles
        self._may = partial(access.allows, roles)

    def read(self) -> dict[str, Any]:
        """Return the cards, facts and entries of what this person may do, by name."""
        cards, facts, parts = [], [], dict[str, Any]()
        if self._may(Permission.APPLICATION_CLEAR):
            cards.append(self._cases())
            facts += _lists()
        if any(self._may(PERMISSIONS[role]) for role in PERMISSIONS):
            cards.append(self._packs())
        if self._may(Permission.APPROVE_COMMERCIAL) or self._may(Permission.APPROVE_LEGAL):
            facts += _missing_approvals()
        if self._may(Permission.ACCOUNT_MANAGE):
            cards.append(self._businesses())
            parts["funnel"] = business_register.funnel(self._person)
        if self._may(Permission.OPERATE):
            facts += _operation()
        elif self._may(Permission.WORK_VIEW):
            facts += _log()
            parts["chain"] = log_checks.chain_state()
        return parts | {"cards": cards, "facts": facts, "happened": self._happened()}

    def _cases(self) -> WorkCard:
        whose = Q(case_owner=self._person) | Q(case_owner=None)
        rows = queue.rows({}, self._person).filter(whose).order_by(queue.ORDER)[:ROWS]
        return WorkCard(
            _("Cases of yours or of nobody, the oldest first"),
            [
                WorkRow(
                    case.application.business.name,
                    reverse("agreements:case", args=[case.application.public_id]),
                    ". ".join(filter(None, [case.why, case.left])),
                    case.application.submitted_at,
                )
                for case in queue.cases(rows)
            ],
            reverse("onboarding:review_queue"),
            _("No case waits for a decision."),
        )

    def _packs(self) -> WorkCard:
        packs = work_queue.rows({}, self._person, self._roles).order_by(work_queue.ORDER)[:ROWS]
        return WorkCard(
            _("Packs that wait for you"),
            [
                WorkRow(
                    f"{line.pack.business.name}, {line.pack.number}",
                    reverse("agreements:case", args=[line.pack.application.public_id]),
                    line.waits_for,
                    line.since,
                )
                for line in work_queue.lines(packs)
            ],
            reverse("agreements:packs"),
            _("No pack waits for you."),
        )

    def _businesses(self) -> WorkCard:
        mine = business_register.rows({"manager": "me"}, self._person)
        moving = mine.filter(status=Access.ACTIVE).exclude(stage=BusinessStage.LIVE)
        return WorkCard(
            _("Your businesses on their way, the quietest first"),
            [
                WorkRow(
                    row.name,
                    reverse("apikeys:business", args=[row.public_id]),
                    str(BusinessStage(row.stage).label),
                    row.active_at,
                )
                for row in moving.order_by("active_at")[:ROWS]
            ],
            f"{reverse('apikeys:businesses')}?manager=me",
            _("You manage no business that is on its way. Set yourself on a business’s page."),
        )

    def _happened(self) -> list[Happened]:
        codes = {code for one, told in _TOLD.items() if self._may(one) for code in told}
        entries = history.newest_of(codes or _ACTS, HAPPENED)
        ids = {entry.business_id for entry in entries if entry.business_id}
        ids |= {entry.subject_id for entry in entries}
        names = dict(Business.objects.filter(public_id__in=ids).values_list("public_id", "name"))
        lines = history.lines(entries, names)
        return [
            Happened(
                line.sentence,
                line.at,
                names.get(entry.business_id, ""),
                reverse("apikeys:business", args=[entry.business_id])
                if entry.business_id in names
                else "",
            )
            for line, entry in zip(lines, entries, strict=True)
        ]


def _lists() -> list[StateLine]:
    """Return how fresh each sanctions list is."""
    page = reverse("onboarding:sanctions_lists")
    return [
        StateLine(
            str(state.kind.label),
            state.problem or _("Confirmed %(age)s") % {"age": state.age},
            page,
            "danger" if state.problem else "ok",
        )
        for state in lists.lists_state()
    ]


def _missing_approvals() -> list[StateLine]:
    """Return how many packs wait for each role. One query."""
    # In the order of the index of the packs that wait for each role.
    waiting = Pack.objects.filter(business__status=Access.ACTIVE).order_by("pk")
    counts = modules.count_each(
        {role: waiting.filter(**{f"awaits_{role}": True}) for role in APPROVERS}
    )
    page = f"{reverse('agreements:packs')}?stage=in_approval"
    return [
        StateLine(
            _("Packs without the approval of %(role)s") % {"role": str(role.label).lower()},
            counted(counts[role]) or "0",
            page,
            "accent" if counts[role] else "quiet",
        )
        for role in APPROVERS
    ]


def _log() -> list[StateLine]:
    """Return when the log was last checked, and when its head was last published."""
    check = log_checks.health()
    night = heads.last_night()
    return [
        StateLine(
            check.about,
            _result(check),
            reverse("governance:work"),
            "warning" if log_checks.concerns() or check.at is None else "ok",
        ),
        StateLine(
            _("Head of the log last published"),
            f"{night.at:%-d %B %Y, %H:%M} UTC" if night else _("Not yet"),
            reverse("governance:heads"),
            "ok" if night else "warning",
        ),
    ]


def _operation() -> list[StateLine]:
    """Return what is wrong with the installation, and the last automatic checks."""
    page = reverse("governance:work")
    told = [StateLine(_("Needs attention"), one, page, "warning") for one in health_notices.told()]
    checks = [StateLine(one.about, _result(one), page) for one in health_notices.checks()]
    return told + checks


def _result(check: HealthCheck) -> str:
    return f"{check.outcome} {check.age}".strip() or _("Not checked yet")
