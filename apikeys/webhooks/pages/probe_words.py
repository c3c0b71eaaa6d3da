"""The results of a verification in words that a developer can act on."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apikeys.webhooks import enforcement
from apikeys.webhooks.models import EndpointProbe

_ORDER = {probe.name: place for place, probe in enumerate(enforcement.FULL)}


@dataclass(frozen=True)
class ProbeLine:
    """One request: what it showed, the expected and the actual answer."""

    words: str
    expected: str
    answered: str
    held: bool


def lines(probe: EndpointProbe | None) -> list[ProbeLine]:
    """Return the results of a round, correctly signed requests first; [] if there is no round.

    For a probe that was sent more than once, show the first failure, or else the first result.
    """
    shown: dict[str, dict[str, Any]] = {}
    for result in probe.results if probe else []:
        first = shown.setdefault(result["probe"], result)
        if first["held"] and not result["held"]:
            shown[result["probe"]] = result
    return [
        ProbeLine(
            words=enforcement.sentence(result),
            expected=result["expected"],
            answered=str(result["status"] or _("No response")),
            held=result["held"],
        )
        for result in sorted(shown.values(), key=lambda result: _ORDER[result["probe"]])
    ]
