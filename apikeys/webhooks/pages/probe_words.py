"""What each request of a verification showed, in words that a developer can act on."""

from dataclasses import dataclass
from typing import Any

from apikeys.webhooks.models import EndpointProbe

# What was sent, and what it means when the answer was another than the one expected.
_WORDS = {
    "P1": ("A valid signature", "It refused a valid signature."),
    "P2": ("A valid signature, once more", "It refused a valid signature."),
    "N1": (
        "A signature made with another secret",
        "It accepted a signature that was not made with its secret.",
    ),
    "N2": ("No v1 in the header", "It accepted a delivery whose header held no signature."),
    "N3": ("No t in the header", "It accepted a delivery whose header held no timestamp."),
    "N4": (
        "A valid signature, 6 minutes old",
        "It accepted a delivery whose timestamp was 6 minutes old.",
    ),
    "N5": (
        "A valid signature of 6 minutes ahead",
        "It accepted a delivery whose timestamp was 6 minutes ahead.",
    ),
}


@dataclass(frozen=True)
class ProbeLine:
    """One request: what was sent, what was expected, what came back, and what that means."""

    sent: str
    expected: str
    answered: str
    held: bool
    means: str


def lines(probe: EndpointProbe | None) -> list[ProbeLine]:
    """Return what a probe showed, request by request; nothing where none was made."""
    return [_line(result) for result in probe.results] if probe else []


def _line(result: dict[str, Any]) -> ProbeLine:
    name = str(result.get("probe", ""))
    sent, means = _WORDS.get(name, (name, "The answer was not the one expected."))
    status, error = result.get("status"), str(result.get("error") or "")
    held = bool(result.get("held"))
    return ProbeLine(
        sent=sent,
        expected=str(result.get("expected", "")),
        answered=f"{status}" if status else error or "No answer",
        held=held,
        means="" if held else f"It could not be reached: {error}." if error else means,
    )
