"""Reading a call's query string: known names only, each value checked."""

from collections.abc import Collection
from urllib.parse import parse_qsl

from api.gateway.calls import Call
from api.gateway.problems import Fault, invalid, unreadable

_MOST_FIELDS = 60


class Query:
    """The values of a query string by name. Mistakes are collected, then told all at once."""

    def __init__(self, call: Call, *, names: Collection[str]) -> None:
        self._values: dict[str, list[str]] = {}
        self.faults: list[Fault] = []
        for name, value in _pairs(call.query):
            if name in names:
                self._values.setdefault(name, []).append(value)
            else:
                self._unknown(name, names)

    def all(self, name: str, *, among: Collection[str]) -> list[str]:
        """Return every value of a repeatable name, each one of those that are allowed."""
        values = self._values.get(name, [])
        if wrong := [value for value in values if value not in among]:
            detail = f"{_short(wrong[0])} is not one of the values that {name} takes."
            self.faults.append(Fault(f"/{name}", "unknown_value", detail, list(among)))
        return values

    def one(self, name: str) -> str | None:
        """Return the value of a name that may stand once."""
        values = self._values.get(name, [])
        if len(values) > 1:
            self.faults.append(Fault(f"/{name}", "repeated", f"Send {name} once."))
        return values[0] if values else None

    def whole(self, name: str, *, low: int, high: int, default: int) -> int:
        """Return a whole number within bounds; out of bounds is told, never clamped."""
        text = self.one(name)
        if text is None:
            return default
        if text.isascii() and text.isdigit() and len(text) <= 6 and low <= int(text) <= high:
            return int(text)
        detail = f"Send {name} as a whole number from {low} to {high}."
        self.faults.append(Fault(f"/{name}", "out_of_range", detail))
        return default

    def check(self) -> None:
        """Refuse the call if anything was wrong."""
        if self.faults:
            raise invalid(*self.faults)

    def _unknown(self, name: str, names: Collection[str]) -> None:
        detail = f"{_short(name)} is not a parameter of this operation."
        self.faults.append(Fault(f"/{_short(name)}", "unknown_parameter", detail, sorted(names)))


def _pairs(query: str) -> list[tuple[str, str]]:
    if not query:
        return []
    try:
        return parse_qsl(
            query, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError:
        detail = "Send at most 60 parameters, percent-encoded as UTF-8."
        raise unreadable("/query", "unreadable", detail) from None


def _short(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:40])
