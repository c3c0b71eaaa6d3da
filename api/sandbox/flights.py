"""Offers of flights: made of a versioned file and the moment, and kept in no row.

The same question within a quarter of an hour has the same answer. The id of an offer says which
flight it is of, at which price of which version, and until when it holds; it is signed, so that
nobody can make one that holds longer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.utils.crypto import constant_time_compare, salted_hmac
from pydantic.dataclasses import dataclass as typed

from api.sandbox.commercial_files import FOLDER, CommercialFile
from console.core import clock
from console.core.money import CURRENCIES, Money
from console.core.refusals import Refused
from console.publishing import in_use
from console.publishing.files import STRICT, FileFault, JsonFiles
from onboarding.restrictions import refusing

_SALT = "api.sandbox.flights"
_MAC = 16
# An offer holds until the end of the quarter of an hour after the one in which it was made.
_STEP = timedelta(minutes=15)
DAYS_AHEAD = 330


class OfferExpired(Refused):
    """The offer does not hold any more."""

    code = "QUOTE_EXPIRED"


@typed(frozen=True, config=STRICT, kw_only=True)
class Airport:
    """An airport by its IATA code, with its country."""

    code: str
    country: str


@typed(frozen=True, config=STRICT, kw_only=True)
class ScheduledFlight:
    """A flight of every day. `departs` is in UTC; the price is whole, for one passenger."""

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
    numbers = [one.number for one in found.flights]
    for number in sorted({one for one in numbers if numbers.count(one) > 1}):
        yield f"{number} is there twice."
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
    """A seat on one flight of one day, at a price that holds until `expires_at`."""

    version: str
    flight: ScheduledFlight
    day: date
    expires_at: datetime

    @property
    def id(self) -> str:
        """Return its name: what it is made of, and the signature under that."""
        until = int(self.expires_at.timestamp())
        said = f"{self.version}_{self.flight.number}_{self.day:%Y%m%d}_{until}"
        return f"fof_{said}_{_signature(said)}"

    @property
    def price(self) -> Money:
        exponent = CURRENCIES[self.flight.currency].exponent
        return Money(self.flight.price * 10**exponent, self.flight.currency)

    @property
    def flight_details(self) -> dict[str, str]:
        """What the API shows of the flight, and a booking keeps."""
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
    """Return the offers of a day that has not begun, of all airports or of those named.

    No flight touches a country that the list in force restricts.
    """
    now = clock.now()
    if not now.date() < day <= now.date() + timedelta(days=DAYS_AHEAD):
        return []
    found = in_use.current(FILES)
    return [
        FlightOffer(found.version, one, day, _expiry(now))
        for one in _open_flights(found)
        if origin in ("", one.origin) and destination in ("", one.destination)
    ]


def find(offer_id: str) -> FlightOffer | None:
    """Return the offer of that id, or None where we never made it; raise OfferExpired after it."""
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
