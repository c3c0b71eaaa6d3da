"""Both sides of a possible match beside each other: what agrees, contradicts or is unknown."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from onboarding.matches.models import PossibleMatch
from onboarding.reference import countries


class SideVerdict(models.TextChoices):
    """What one detail says about a possible match."""

    AGREES = "ok", gettext_lazy("Agrees")
    CONTRADICTS = "danger", gettext_lazy("Contradicts")
    UNKNOWN = "neutral", gettext_lazy("Unknown")


@dataclass(frozen=True)
class SideLine:
    """One detail of both sides."""

    label: str
    ours: str
    listed: str
    verdict: SideVerdict


# Why two words of the names belong together.
REASONS = {
    "same": gettext_noop("Same spelling"),
    "name": gettext_noop("Spellings of one name"),
    "symbol": gettext_noop("Same meaning"),
    "spelled": gettext_noop("Same word in another spelling"),
    "sound": gettext_noop("Same sound"),
    "near_sound": gettext_noop("Similar sound"),
    "joined": gettext_noop("Same sound, written as one word"),
    "letters": gettext_noop("Similar spelling"),
    "initial": gettext_noop("Initial"),
    "extra": gettext_noop("No counterpart"),
}


@dataclass(frozen=True)
class MatchSides:
    """A possible match with the comparison of its details."""

    match: PossibleMatch
    lines: list[SideLine]

    @property
    def words(self) -> list[dict[str, str]]:
        """The words of both names, `asked` and `listed`, and `why` they belong together."""
        return [one | {"why": _(REASONS[one["why"]])} for one in self.match.parts]

    @property
    def agreeing(self) -> int:
        return sum(line.verdict == SideVerdict.AGREES for line in self.lines)

    @property
    def contradicting(self) -> int:
        return sum(line.verdict == SideVerdict.CONTRADICTS for line in self.lines)


def in_order(matches: Iterable[PossibleMatch]) -> list[MatchSides]:
    """Return the matches with most identifying evidence first, then by their score."""
    compared = [MatchSides(match, _lines(match)) for match in matches]
    return sorted(
        compared,
        key=lambda one: (-one.agreeing, one.contradicting, -one.match.score, one.match.pk),
    )


def _lines(match: PossibleMatch) -> list[SideLine]:
    party, entry = match.party, match.entry
    numbers = [one["value"] for one in entry.identifiers]
    listed_countries = ", ".join(countries.name(code) for code in entry.countries)
    return [
        SideLine(
            _("Date of birth"),
            party["born"],
            ", ".join(entry.birth_dates),
            _verdict(party["born"], [party["born"].startswith(one) for one in entry.birth_dates]),
        ),
        SideLine(
            _("Country"),
            countries.name(party["country"]) if party["country"] else "",
            listed_countries,
            _verdict(party["country"], [party["country"] == one for one in entry.countries]),
        ),
        SideLine(
            _("Numbers"),
            party["number"],
            ", ".join(numbers),
            # Another number may be of another kind, so it contradicts nothing.
            SideVerdict.AGREES
            if party["number"] and _compact(party["number"]) in map(_compact, numbers)
            else SideVerdict.UNKNOWN,
        ),
    ]


def _verdict(ours: str, agreements: list[bool]) -> SideVerdict:
    if not ours or not agreements:
        return SideVerdict.UNKNOWN
    return SideVerdict.AGREES if any(agreements) else SideVerdict.CONTRADICTS


def _compact(number: str) -> str:
    return re.sub(r"\W", "", number).upper()
