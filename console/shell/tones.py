"""Which tone a status is shown in. Packages register; a guard asks that none is missing."""

from collections.abc import Mapping
from typing import Any

# The tones of the stylesheet, each with the icon that says the same without colour.
ICONS = {
    "neutral": "",
    "quiet": "",
    "accent": "circle-dot",
    "ok": "circle-check",
    "warning": "triangle-alert",
    "danger": "octagon-x",
}
_tones: dict[str, dict[str, str]] = {}


def register(model: str, tones: Mapping[str, str]) -> None:
    """Give every status of a model ("onboarding.Application") its tone. From AppConfig.ready()."""
    if unknown := set(tones.values()) - ICONS.keys():
        raise ValueError(f"{model} uses tones that do not exist: {sorted(unknown)}.")
    if model in _tones:
        raise ValueError(f"The tones of {model} are registered twice.")
    _tones[model] = {str(status): tone for status, tone in tones.items()}


def of(thing: Any) -> str:
    """Return the tone of a row's status; one that nobody registered is neutral."""
    return of_status(thing._meta.label, thing.status)


def of_status(model: str, status: str) -> str:
    return _tones.get(model, {}).get(str(status), "neutral")


def known(model: str) -> frozenset[str]:
    """Return the statuses of a model that have a tone."""
    return frozenset(_tones.get(model, {}))
