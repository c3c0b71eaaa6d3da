"""Characters that our documents cannot set: known further right, where they are rendered."""

from collections.abc import Callable

StatedCheck = Callable[[str], str]
_checks: list[StatedCheck] = []


def register(check: StatedCheck) -> None:
    """Add what returns the characters of a text that documents cannot set. From ready() only."""
    _checks.append(check)


def unsettable(text: str) -> str:
    """Return the characters of a text that the documents cannot set, in order."""
    return "".join(dict.fromkeys("".join(check(text) for check in _checks)))
