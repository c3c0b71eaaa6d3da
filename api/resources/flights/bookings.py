"""Book seats of an offer, and settle what waits."""

from django.db import transaction

from api.providers.selection import provider_for
from api.resources.disbursing import Disbursing
from api.resources.flights.models import FlightBooking
from console.accounts.actors import Actor

BOOKINGS = Disbursing(FlightBooking, "flight_booking")


@transaction.atomic(savepoint=False)
def create(booking: FlightBooking, *, tries: int, by: Actor) -> FlightBooking:
    """Book a seat for each passenger, or raise StockConflict where one is gone."""
    names = [one["last_name"] for one in booking.passengers]
    provider_for(booking.environment).hold_seats(names)
    return BOOKINGS.create(booking, tries=tries, by=by)
