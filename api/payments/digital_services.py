"""Catalogue of digital services, from a versioned file."""

import re
from collections.abc import Iterator
from enum import StrEnum, auto

from pydantic.dataclasses import dataclass as typed

from api.payments.commercial_files import FOLDER, CommercialFile, repeated
from console.core import clock
from console.core.money import CURRENCIES, Money, NotMoney
from console.publishing import in_use
from console.publishing.files import STRICT, JsonFiles
from onboarding.restrictions import refusing


class ServiceCategory(StrEnum):
    """Kind of digital service."""

    AIRTIME = auto()
    DATA = auto()
    BILLS = auto()


# Format of the recipient for each kind.
RECIPIENTS = {
    "airtime": r"\+[1-9][0-9]{6,14}",
    "data": r"\+[1-9][0-9]{6,14}",
    "bills": r"[0-9A-Za-z-]{4,30}",
}


@typed(frozen=True, config=STRICT, kw_only=True)
class DigitalService:
    """A service with its minimum and maximum price; if they are equal, the price is fixed."""

    id: str
    category: str
    name: str
    country: str
    currency: str
    min_amount: str
    max_amount: str

    @property
    def least(self) -> Money:
        return Money.parse(self.min_amount, self.currency)

    @property
    def most(self) -> Money:
        return Money.parse(self.max_amount, self.currency)

    def reaches(self, recipient: str) -> bool:
        """Tell whether a recipient has the format of this kind of service."""
        return bool(re.fullmatch(RECIPIENTS[self.category], recipient, re.ASCII))


@typed(frozen=True, config=STRICT, kw_only=True)
class CatalogueFile(CommercialFile):
    """One version of the catalogue."""

    services: tuple[DigitalService, ...]


def _unusable(found: CatalogueFile) -> Iterator[str]:
    yield from repeated(one.id for one in found.services)
    for one in found.services:
        if one.category not in list(ServiceCategory):
            yield f"{one.id} is of no known category."
        if one.currency not in CURRENCIES or CURRENCIES[one.currency].opt_in:
            yield f"{one.id} is priced in no currency that every business holds."
            continue
        try:
            fits = 0 < one.least.minor <= one.most.minor
        except NotMoney as wrong:
            yield f"{one.id}: {wrong}"
        else:
            if not fits:
                yield f"{one.id} costs at least more than it costs at most."


FILES = JsonFiles(
    "digital_services",
    "Digital services",
    "api.digital-services.v1",
    CatalogueFile,
    FOLDER,
    prefix="catalogue-",
    faults=_unusable,
)


def available() -> list[DigitalService]:
    """Return the services that can be ordered today, except in countries on the list in force."""
    today = clock.now().date()
    restricted = refusing.current().countries(on=today)
    found = in_use.current(FILES).services
    return [one for one in found if one.country not in restricted]


def find(service_id: str) -> DigitalService | None:
    """Return the service of that ID, if it can be ordered today."""
    return next((one for one in available() if one.id == service_id), None)
