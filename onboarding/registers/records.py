"""RegisterRecord: what a public register knows about one company."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date

from onboarding.reference import countries


class RegisterDown(Exception):
    """The register did not answer, or not in its published format."""


def address_line(parts: Mapping[str, str]) -> str:
    """Return the parts of an address as one line, with the country's name."""
    named = {**parts, "country": countries.name(parts.get("country", ""))}
    return ", ".join(part.strip() for part in named.values() if part.strip())


def dated(text: str) -> str:
    """Return an ISO date in words, and any other text as it is, such as a year alone."""
    with suppress(ValueError):
        return f"{date.fromisoformat(text):%-d %b %Y}"
    return text


@dataclass(frozen=True, kw_only=True)
class RegisterRecord:
    """One company as its register states it. Unknown values are empty.

    `record` is the entry's own number in this register, `number` the company's registration
    number. `address` has the parts of an address answer. `since` is an ISO date. `doubts` are
    sentences that say why the entry alone does not confirm the company.
    """

    register: str
    record: str
    name: str
    country: str
    number: str = ""
    other_names: tuple[str, ...] = ()
    legal_form: str = ""
    status: str = ""
    since: str = ""
    address: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[str, ...] = ()
    is_simulated: bool = False

    def evidence(self) -> dict[str, str]:
        """Return the entry as evidence for a check."""
        every = {
            "register": self.register,
            "record": self.record,
            "name": self.name,
            "number": self.number,
            "country": self.country,
            "status": self.status,
            "since": self.since,
            "legal_form": self.legal_form,
            "address": address_line(self.address),
        }
        return {key: value for key, value in every.items() if value}
