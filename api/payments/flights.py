"""Flight offers, computed from a versioned file and the time, and not stored.

The same query within a quarter of an hour gives the same offers. An offer's ID contains the flight,
date, file version and expiry. It is signed, so that nobody can extend an offer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.utils.crypto import constant_time_compare, salted_hmac
from pydantic.dataclasses import dataclass as typed

from api.payments.commercial_files import FOLDER, CommercialFile, repeated
from console.core import clock
from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused
from console.publishing import in_use
from console.publishing.files import STRICT, FileFault, JsonFiles
from onboarding.restrictions import refusing

_SALT = "api.payments.flights"
_MAC = 16
# An offer is valid until the end of the quarter of an hour after the current one.
_STEP = timedelta(minutes=15)
DAYS_AHEAD = 330


class OfferExpired(Refused):
    """Raised when an offer has expired."""

    code = "QUOTE_EXPIRED"
    reason = "offer_expired"


@typed(frozen=True, config=STRICT, kw_only=True)
class Airport:
    """An airport by its IATA code, with its country."""

    code: str
    country: str


@typed(frozen=True, config=STRICT, kw_only=True)
class ScheduledFlight:
    """A daily flight. `departs` is in UTC; the price per passenger is a whole number."""

    number: str
    carrier: str
    origin: str
    destination: str
    departs: str
    minutes: int
    price: int
    currency: str


@typed(frozen=True, config=STRICT, kw_only=True)
class FlightFile(CommercialFile):
    """One version of the flights."""

    airports: tuple[Airport, ...]
    flights: tuple[ScheduledFlight, ...]


def _unusable(found: FlightFile) -> Iterator[str]:
    codes = {one.code for one in found.airports}
    yield from repeated(one.number for one in found.flights)
    for one in found.flights:
        if not {one.origin, one.destination} <= codes or one.origin == one.destination:
            yield f"{one.number} flies between no two airports."
        if one.currency not in CURRENCIES or CURRENCIES[one.currency].opt_in:
            yield f"{one.number} is priced in no currency that every business holds."
        if one.price < 1 or one.minutes < 1:
            yield f"{one.number} costs or takes nothing."
        try:
            time.fromisoformat(one.departs)
        except ValueError:
            yield f"{one.number} departs at no time."


FILES = JsonFiles(
    "flights",
    "Flights",
    "api.flights.v1",
    FlightFile,
    FOLDER,
    prefix="flights-",
    faults=_unusable,
)


@dataclass(frozen=True)
class FlightOffer:
    """A seat on a flight on one day, at a price that is valid until `expires_at`."""

    version: str
    flight: ScheduledFlight
    day: date
    expires_at: datetime

    @property
    def id(self) -> str:
        """Return the offer's contents with a signature."""
        until = int(self.expires_at.timestamp())
        said = f"{self.version}_{self.flight.number}_{self.day:%Y%m%d}_{until}"
        return f"fof_{said}_{_signature(said)}"

    @property
    def price(self) -> Money:
        exponent = CURRENCIES[self.flight.currency].exponent
        return Money(self.flight.price * 10**exponent, self.flight.currency)

    @property
    def flight_details(self) -> dict[str, str]:
        """Flight details that the API shows and a booking stores."""
        names = ("number", "carrier", "origin", "destination")
        return {
            **{name: getattr(self.flight, name) for name in names},
            "departs_at": clock.iso(self.departs_at),
            "arrives_at": clock.iso(self.arrives_at),
        }

    @property
    def departs_at(self) -> datetime:
        return datetime.combine(self.day, time.fromisoformat(self.flight.departs), UTC)

    @property
    def arrives_at(self) -> datetime:
        return self.departs_at + timedelta(minutes=self.flight.minutes)


def available(day: date, origin: str = "", destination: str = "") -> list[FlightOffer]:
    """Return the offers for a future day, optionally only for these airports.

    Flights from or to a country on the restricted list in force are excluded.
    """
    now = clock.now()
    found = in_use.current(FILES)
    return [
        FlightOffer(found.version, one, day, _expiry(now))
        for one in _open_flights(found)
        if origin in ("", one.origin) and destination in ("", one.destination)
    ]


def find(offer_id: str) -> FlightOffer | None:
    """Return the offer of that ID, or None if it is not ours. Raises OfferExpired."""
    said, _, signature = offer_id.removeprefix("fof_").rpartition("_")
    if not constant_time_compare(signature, _signature(said)):
        return None
    version, number, day, until = said.split("_")
    try:
        found = FILES.load(version)
    except FileFault:
        return None
    now = clock.now()
    if now.timestamp() >= int(until):
        raise OfferExpired("The offer has expired.")
    flown = next((one for one in _open_flights(found) if one.number == number), None)
    if flown is None:
        return None
    expires_at = datetime.fromtimestamp(int(until), UTC)
    offer = FlightOffer(version, flown, date.fromisoformat(day), expires_at)
    return offer if offer.id == offer_id else None


def _open_flights(found: FlightFile) -> list[ScheduledFlight]:
    restricted = refusing.current().countries(on=clock.now().date())
    closed = {one.code for one in found.airports if one.country in restricted}
    return [one for one in found.flights if not {one.origin, one.destination} & closed]


def _expiry(now: datetime) -> datetime:
    """Return the end of the next quarter of an hour."""
    step = int(_STEP.total_seconds())
    return datetime.fromtimestamp((int(now.timestamp()) // step + 2) * step, UTC)


def _signature(said: str) -> str:
    return salted_hmac(_SALT, said, algorithm="sha256").hexdigest()[:_MAC]
