"""Rows of sanctions lists, with people who do not exist."""

from collections.abc import Sequence

from django.db import transaction

from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import clock
from console.publishing import in_use
from onboarding.checks import list_screening, required_checks, runs
from onboarding.checks.providers import CheckResult
from onboarding.lifecycle import CheckStatus
from onboarding.matches import recording
from onboarding.matches.models import MatchOutcome, PossibleMatch
from onboarding.models import Check
from onboarding.review import possible_matches, rescreening
from onboarding.screening.model import MODELS
from onboarding.screening.models import (
    ListedType,
    ListEntry,
    ListKind,
    ListName,
    ListVersion,
    NameKind,
)
from onboarding.screening.names import KEYS_VERSION, name_keys, normal_form
from onboarding.screening.search import FoundEntry, Screened
from tests.factories.people import one_of_staff


@transaction.atomic
def a_version(kind: ListKind = ListKind.UN, *, refused: str = "") -> ListVersion:
    """Put a version in force in place of the current one, or refuse it."""
    now = clock.now()
    if not refused:
        ListVersion.objects.filter(kind=kind).in_force().update(superseded_at=now)
    version = ListVersion.objects.create(
        kind=kind, source="list.xml", sha256="1" * 64, published_at=now, imported_at=now,
        checked_at=now, in_force_from=None if refused else now, refused_because=refused,
        entry_count=1, name_count=1,
    )  # fmt: skip
    audit.record("sanctions_list.in_force", version, by=SYSTEM)
    return version


def an_entry(
    version: ListVersion,
    name: str = "Gorvan Listed",
    *aliases: str,
    kind: ListedType = ListedType.PERSON,
) -> ListEntry:
    entry = ListEntry.objects.create(
        kind=version.kind, uid=name, type=kind, name=name, programme="TEST",
        birth_dates=["1961"], countries=["KP"], identifiers=[{"kind": "passport", "value": "X1"}],
        url="https://lists.example/1", details={"remarks": "None."}, sha256="2" * 64,
        since=version,
    )  # fmt: skip
    for number, one in enumerate([name, *aliases]):
        described = NameKind.ALIAS if number else NameKind.PRIMARY
        ListName.objects.create(
            entry=entry, name=one, kind=described, normal=normal_form(one), keys=name_keys(one),
            keys_version=KEYS_VERSION,
        )  # fmt: skip
    return entry


def a_refused_match(check: Check, reviewers: Sequence[User] = ()) -> PossibleMatch:
    """Let our lists find an entry for a screening check, and a reviewer refuse to confirm it."""
    version = a_version()
    entry = an_entry(version, f"{check.subject_name} of {check.public_id}, version {version.pk}")
    party = list_screening.party_of(required_checks.inquiry_of(check))
    found = FoundEntry(entry, 0.9, entry.name, [])
    (match,) = recording.record(party, Screened([found], "2026-11", 0.0))
    # With how names are compared now, so that it is not run again for another way.
    compared = list_screening.compared_by(in_use.current(MODELS).version)
    evidence = compared | {"matches": match.public_id}
    says = CheckResult(CheckStatus.NEEDS_REVIEW, "Possible match.", evidence)
    check = runs._begin(check, by=SYSTEM)
    check = runs._finish(check, list_screening.ListScreening(), says, by=SYSTEM)
    first, second = reviewers or [one_of_staff(Role.COMPLIANCE) for _ in range(2)]
    proposed = possible_matches.decide(
        match, check, outcome=MatchOutcome.SAME, reason="The same name.", by=first
    )
    possible_matches.confirm(proposed, confirmed=False, reason="Another birth date.", by=second)
    return match


def a_cleared_match(check: Check, reviewers: Sequence[User] = ()) -> PossibleMatch:
    """As before, and let a reviewer judge that it is not the same, so that the check passes."""
    match = a_refused_match(check, reviewers)
    reviewer = reviewers[0] if reviewers else one_of_staff(Role.COMPLIANCE)
    check, said = Check.objects.get(pk=check.pk), "Another person."
    possible_matches.decide(match, check, outcome=MatchOutcome.NOT_SAME, reason=said, by=reviewer)
    return match


def in_every_table() -> None:
    """Add rows with every column set."""
    entry = an_entry(a_version())
    with transaction.atomic():
        entry.gone = a_version()
        entry.save()
    rescreening.begin(entry.gone, by=SYSTEM)
    a_version(refused="It is empty.")
