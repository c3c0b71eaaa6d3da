"""Registry of checks for characters that documents cannot display, filled by other packages."""

from collections.abc import Callable

StatedCheck = Callable[[str], str]
_checks: list[StatedCheck] = []


def register(check: StatedCheck) -> None:
    """Register a function that returns undisplayable characters. Called from ready() only."""
    _checks.append(check)


def unsettable(text: str) -> str:
    """Return the characters of a text that documents cannot display, in order."""
    return "".join(dict.fromkeys("".join(check(text) for check in _checks)))
