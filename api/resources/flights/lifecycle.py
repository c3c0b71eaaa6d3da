"""Where a booking of a flight is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

BOOKING_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "flight_booking.created": "{actor} asked for the flight booking {subject}",
    "flight_booking.completed": "{actor} confirmed the flight booking {subject}",
    "flight_booking.failed": "{actor} failed the flight booking {subject}",
}
