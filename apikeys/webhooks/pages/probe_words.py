"""What each request of a verification showed, in words that a developer can act on."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from apikeys.webhooks import enforcement
from apikeys.webhooks.models import EndpointProbe

_ORDER = {probe.name: place for place, probe in enumerate(enforcement.FULL)}


@dataclass(frozen=True)
class ProbeLine:
    """One request: what it showed, what was expected, what came back."""

    words: str
    expected: str
    answered: str
    held: bool


def lines(probe: EndpointProbe | None) -> list[ProbeLine]:
    """Return what a round showed, what should be accepted first; nothing where none was made."""
    results = probe.results if probe else []
    return [
        ProbeLine(
            words=enforcement.sentence(result),
            expected=result["expected"],
            answered=str(result["status"] or _("No response")),
            held=result["held"],
        )
        for result in sorted(results, key=lambda result: _ORDER[result["probe"]])
    ]
