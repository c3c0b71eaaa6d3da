"""Where a booking of a flight is, and what the log says of it."""

from api.resources import disbursements

BOOKING_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "flight_booking.created": "{actor} asked for the flight booking {subject}",
    "flight_booking.completed": "{actor} confirmed the flight booking {subject}",
    "flight_booking.failed": "{actor} failed the flight booking {subject}",
}
