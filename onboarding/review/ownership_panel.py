"""The case page's data about owners: their table and tree, with checks, and files of them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from console.accounts import access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core.status_table import Tone
from onboarding.lifecycle import CheckStatus
from onboarding.models import Application, Check
from onboarding.models.check import CheckKind
from onboarding.ownership import exports
from onboarding.ownership.cascade import Regime, cascade
from onboarding.ownership.owners import Ownership, ownership_of
from onboarding.ownership.shown import shown
from onboarding.ownership.structure import (
    BUSINESS,
    OwnershipParty,
    PartyKind,
    Structure,
    structure_of,
)
from onboarding.reference import countries
from onboarding.registers import people
from onboarding.registers.people import PeopleLine
from onboarding.tiers import Tier

_OF_PEOPLE = (CheckKind.IDENTITY, CheckKind.ADDRESS)

# The files of the owners of a case, by kind: the end of the name, and the media type.
FILES = {
    "bods": ("bods.json", "application/json"),
    "ftm": ("ftm.ndjson", "application/x-ndjson"),
    "discrepancies": ("discrepancies.txt", "text/plain; charset=utf-8"),
}


@dataclass(frozen=True)
class CascadeNotice:
    """What follows for the business if parties are on a sanctions list."""

    tone: Tone
    title: str
    says: str


@dataclass(frozen=True)
class RegisterComparison:
    """Whom a register lists beside those of the answers, with the check that compares them."""

    check: Check
    register: str
    lines: list[PeopleLine]

    @property
    def differs(self) -> bool:
        return any(line.differs for line in self.lines)


def ownership_now(application: Application) -> Ownership:
    """Return who owns the business of a case, by the threshold of its tier."""
    submission = application.submission
    assert submission is not None, f"{application} was never submitted"
    on, is_high = submission.submitted_at.date(), application.tier == Tier.HIGH
    return ownership_of(submission.answers, on=on, is_high=is_high)


def owners(application: Application, every_check: Iterable[Check]) -> dict[str, Any]:
    """Return the context of `onboarding/_ownership.html` about owners, without a query."""
    mine = [one for one in every_check if one.submission_id == application.submission_id]
    screened = {one.subject: one for one in mine if one.kind == CheckKind.SCREENING}
    identified = {
        kind: {one.subject: one for one in mine if one.kind == kind} for kind in _OF_PEOPLE
    }
    found = shown(ownership_now(application))
    rows = [
        replace(
            row,
            check=screened.get(at := f"owner.{row.number}"),
            others=[made[at] for made in identified.values() if at in made],
        )
        for row in found.rows
    ]
    structure = found.ownership.structure
    status_of = {
        party.id: check.status
        for number, party in enumerate(structure.parties)
        if (check := screened.get(f"owner.{number}"))
    }
    return {
        "shown": replace(found, rows=rows),
        "cascades": list(_cascades(structure, status_of)),
        "listed": _listed(found.ownership, mine),
    }


@transaction.atomic
def download(application: Application, kind: str, *, by: User) -> bytes:
    """Return a file of the owners of a case, of a kind in FILES, and log who downloaded it."""
    access.require(by, Permission.REVIEW_VIEW)
    submission = application.submission
    assert submission is not None, f"{application} was never submitted"
    given = submission.answers
    business = OwnershipParty(
        BUSINESS, PartyKind.ENTITY, given["li_legal_name"], given["li_country_incorporation"],
        number=given["li_registration_number"],
    )  # fmt: skip
    structure, of = structure_of(given), application.public_id
    audit.record("application.owners_downloaded", application, by=by, kind=kind)
    if kind == "discrepancies":
        return _discrepancies(application, business)
    if kind == "bods":
        on = submission.submitted_at.date()
        return _json(exports.bods(structure, business, of=of, on=on))
    return b"\n".join(_json(one) for one in exports.followthemoney(structure, business, of=of))


def _listed(ownership: Ownership, checks: Iterable[Check]) -> RegisterComparison | None:
    """Return the comparison with the register that the newest check found, if it knows anybody."""
    for check in checks:
        if check.kind == CheckKind.OWNERS and (found := people.of_evidence(check.evidence)):
            return RegisterComparison(check, found.register, people.compared(found, ownership))
    return None


def _discrepancies(application: Application, business: OwnershipParty) -> bytes:
    """Return the report of differences for the register, as text."""
    checks = application.checks.filter(submission=application.submission).in_order()
    listed = _listed(ownership_now(application), checks)
    differing = [line for line in listed.lines if line.differs] if listed else []
    country = countries.name(business.country)
    lines = [
        _("Report of differences to a company's register"),
        _("Company: %(name)s, number %(number)s, %(country)s")
        % {"name": business.name, "number": business.number, "country": country},
    ]
    if listed and listed.check.finished_at:
        on = f"{listed.check.finished_at:%-d %b %Y}"
        names = {"register": listed.register, "day": on}
        lines.append(_("Compared with %(register)s on %(day)s") % names)
    for number, line in enumerate(differing, 1):
        lines += [
            "",
            f"{number}. {line.differs}",
            _("The register: %(words)s") % {"words": line.listed or _("nothing")},
            _("The company: %(words)s") % {"words": line.stated or _("nothing")},
        ]
    if not differing:
        lines += ["", _("There are no differences.")]
    return "\n".join([*lines, ""]).encode()


def _json(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, sort_keys=True).encode()


def _cascades(structure: Structure, status_of: dict[str, str]) -> Iterator[CascadeNotice]:
    """Yield what follows from confirmed matches, and from possible ones if they are confirmed."""
    confirmed = [one for one, status in status_of.items() if status == CheckStatus.FAILED]
    open_too = [one for one, status in status_of.items() if status == CheckStatus.NEEDS_REVIEW]
    for regime in Regime:
        certain = cascade(structure, confirmed, regime)
        possible = cascade(structure, confirmed + open_too, regime)
        names = {"regime": regime.upper()}
        if certain.is_blocked:
            title = _("By the rule of %(regime)s, the business is blocked") % names
            yield CascadeNotice("danger", title, certain.blocked[BUSINESS])
        elif possible.is_blocked:
            title = _("By the rule of %(regime)s, the business is blocked if a match is confirmed")
            yield CascadeNotice("warning", title % names, possible.blocked[BUSINESS])
        elif possible.is_near:
            title = _("By the rule of %(regime)s, the business is nearly blocked") % names
            says = _("Parties that may be listed hold a quarter or more of it.")
            yield CascadeNotice("warning", title, says)
