"""Flights: offers are the same for everyone and expire; a booking pays for all its passengers."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
import time_machine

from api.payments import flights
from api.payments.models import FlightBooking
from console.audit.models import Entry
from console.core import clock
from console.publishing.files import FileFault
from tests import factories
from tests.api.asking import EXAMPLES, ROWS, faults, pointed
from tests.api.paying import left

OFFERS = "/sandbox/v1/flights/offers"
PATH = "/flights/bookings"
CREATE = ROWS["POST", PATH]
EXAMPLE = EXAMPLES["flights_bookings.create"]
ADA = {"first_name": "Ada", "last_name": "Obi"}


def found(client, query="origin=LOS&destination=ACC"):
    return client.api.get(OFFERS, client.plain, query).json["data"]


def book(client, offer_id=None, *passengers):
    offer_id = offer_id or found(client)[0]["id"]
    body = {"offer_id": offer_id, "passengers": list(passengers) or [ADA]}
    return client.ask(CREATE, PATH, body)


def held(client):
    return left(client.api, client.plain, "USD")


# Offers ------------------------------------------------------------------------------------------


def test_an_offer_names_the_flight_the_price_and_until_when_it_holds(client):
    now = clock.now()
    with time_machine.travel(now, tick=False):
        day = (now + timedelta(days=9)).date()
        (one,) = found(client, f"origin=LOS&destination=ACC&date={day}")

    assert one["flight"] == {
        "number": "SB201",
        "carrier": "Sandbox Air",
        "origin": "LOS",
        "destination": "ACC",
        "departs_at": f"{day}T09:15:00Z",
        "arrives_at": f"{day}T10:15:00Z",
    }
    assert (one["amount"], one["currency"]) == ("180.00", "USD")
    holds = datetime.fromisoformat(one["expires_at"]) - now
    assert timedelta(minutes=15) < holds <= timedelta(minutes=30)


def test_the_same_question_has_the_same_answer_for_a_quarter_of_an_hour():
    day = date(2026, 12, 1)
    with time_machine.travel("2026-11-20T10:00:00Z", tick=False):
        first = flights.available(day)
    with time_machine.travel("2026-11-20T10:14:59Z", tick=False):
        assert flights.available(day) == first
    with time_machine.travel("2026-11-20T10:15:00Z", tick=False):
        later = flights.available(day)
    assert not {one.id for one in first} & {one.id for one in later}
    assert [one.flight for one in first] == [one.flight for one in later]


def test_there_is_no_offer_of_a_day_that_has_begun_or_is_too_far_away(client):
    for days in [0, -1, 331]:
        with time_machine.travel(clock.now(), tick=False):
            day = (clock.now() + timedelta(days=days)).date()
            reply = client.api.get(OFFERS, client.plain, f"date={day}")
            assert faults(reply) == [("/date", "out_of_range")]


def test_a_mistake_in_the_question_is_named(client):
    for query in ["origin=lagos", "destination=LO", "date=tomorrow", "to=ACC"]:
        assert client.api.get(OFFERS, client.plain, query).code == "VALIDATION_ERROR"


# Bookings ----------------------------------------------------------------------------------------


def test_a_booking_pays_for_all_its_passengers_and_can_be_read_again(client):
    reply = book(client, None, ADA, ADA | {"date_of_birth": "1990-05-17"})

    assert reply.status == 201, reply.body
    made = reply.json
    assert (made["status"], made["amount"], made["failure"]) == ("confirmed", "360.00", None)
    assert made["passengers"] == [ADA, ADA | {"date_of_birth": "1990-05-17"}]
    assert held(client) == ("999640.00", "0.00")
    read = client.api.get(f"/sandbox/v1{PATH}/{made['id']}", client.plain).json
    assert read | {"request_id": ""} == made | {"request_id": ""}
    told = client.api.get("/sandbox/v1/transactions", client.plain, "currency=USD&limit=1").json
    assert (told["data"][0]["type"], told["data"][0]["source"]) == ("flight", made["id"])
    codes = Entry.objects.filter(subject_id=made["id"]).order_by("pk")
    assert [one.code for one in codes] == ["flight_booking.created", "flight_booking.completed"]


def test_an_offer_that_has_ended_cannot_be_booked(client):
    with time_machine.travel("2026-11-20T10:05:00Z", tick=False):
        (one,) = flights.available(clock.now().date() + timedelta(days=1), "LOS", "ACC")
    with time_machine.travel("2026-11-20T10:29:59Z", tick=False):
        assert flights.find(one.id) == one
    with (
        time_machine.travel("2026-11-20T10:30:00Z", tick=False),
        pytest.raises(flights.OfferExpired),
    ):
        flights.find(one.id)


def test_whoever_books_an_offer_too_late_is_told(client):
    offer = found(client)[0]["id"]
    with time_machine.travel(clock.now() + timedelta(minutes=31)):
        reply = book(client, offer)

    assert (reply.status, reply.code) == (422, "QUOTE_EXPIRED")
    assert reply.json["reason"] == "offer_expired"
    assert held(client) == ("1000000.00", "0.00")
    assert not FlightBooking.objects.exists()


def test_nobody_makes_an_offer_that_holds_longer(client):
    offer = found(client)[0]["id"]
    said, _, signature = offer.rpartition("_")
    before, _, until = said.rpartition("_")

    for forged in (f"{before}_{int(until) + 9000}_{signature}", offer.removeprefix("fof_"), "fof_"):
        assert pointed(book(client, forged)) == ["/offer_id"]
    assert not FlightBooking.objects.exists()


def test_seats_that_are_gone_are_told_and_cost_nothing(client):
    reply = book(client, None, ADA, ADA | {"last_name": "Soldout"})

    assert (reply.status, reply.code) == (409, "STOCK_CONFLICT")
    assert held(client) == ("1000000.00", "0.00")


def test_what_cannot_be_paid_is_not_booked(client):
    dear = found(client, "origin=LOS&destination=ABV")[0]["id"]
    for _ in range(2):
        book(client, dear, *[ADA] * 5)

    assert book(client, dear, *[ADA] * 5).code == "INSUFFICIENT_BALANCE"
    assert FlightBooking.objects.count() == 2


def test_a_country_that_is_restricted_later_is_no_longer_flown_to(client):
    offer = found(client)[0]["id"]
    factories.restricted("GH", "Ghana")

    assert found(client) == []
    assert pointed(book(client, offer)) == ["/offer_id"]


def test_a_mistake_is_named(client):
    change: Any
    for change, pointer in [
        ({"passengers": []}, "/passengers"),
        ({"passengers": [ADA] * 10}, "/passengers"),
        ({"passengers": [ADA, {"last_name": "Obi"}]}, "/passengers/1/first_name"),
        ({"passengers": [ADA | {"date_of_birth": "1990"}]}, "/passengers/0/date_of_birth"),
        ({"seats": 2}, "/seats"),
    ]:
        assert pointer in pointed(client.ask(CREATE, PATH, EXAMPLE | change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"number": "SB102"}, "SB102 is there twice."),
        ({"origin": "XXX"}, "between no two airports"),
        ({"destination": "LOS"}, "between no two airports"),
        ({"currency": "cNGN"}, "no currency that every business holds"),
        ({"price": 0}, "costs or takes nothing"),
        ({"departs": "25:00"}, "departs at no time"),
    ],
)
def test_flights_with_a_fault_are_not_read(change, said):
    newest = flights.FILES.newest()
    faulty, *others = (vars(one) for one in newest.flights)
    document = {
        "version": "2027-01-01",
        "airports": [vars(one) for one in newest.airports],
        "flights": [faulty | change, *others],
    }

    with pytest.raises(FileFault, match=said):
        flights.FILES.parse(document)
