"""Store what a screening found, so that reviewers can decide about it."""

from dataclasses import asdict

from console.core import clock
from onboarding.matches.models import PossibleMatch
from onboarding.screening.search import Party, Screened


def record(party: Party, screened: Screened) -> list[PossibleMatch]:
    """Return the possible matches of this party; each pair of facts and entry is stored once."""
    now = clock.now()
    PossibleMatch.objects.bulk_create(
        (
            PossibleMatch(
                party=asdict(party),
                party_sha256=party.sha256,
                entry=one.entry,
                entry_sha256=one.entry.sha256,
                score=round(one.score * 100),
                name=one.name,
                parts=one.parts,
                model_version=screened.model,
                found_at=now,
            )
            for one in screened.found
        ),
        ignore_conflicts=True,
    )
    entries = [one.entry for one in screened.found]
    rows = PossibleMatch.objects.filter(party_sha256=party.sha256, entry__in=entries)
    return list(rows.with_decisions().order_by("public_id"))
