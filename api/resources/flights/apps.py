"""App config, what the passing of time does to bookings of flights."""

from django.apps import AppConfig


class FlightsConfig(AppConfig):
    """Bookings of flights."""

    name = "api.resources.flights"
    label = "flights"

    def ready(self) -> None:
        from api.sandbox import commercial_files, flights
        from api.sandbox.disbursements import FLIGHT_BOOKINGS
        from api.sandbox.lifecycle import BOOKING_LIFECYCLE, DISBURSEMENT_STATUSES, SENTENCES
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register("sandbox.FlightBooking", BOOKING_LIFECYCLE, DISBURSEMENT_STATUSES)
        messages.register(SENTENCES)
        schedule.every_minute("flights.settle_due", FLIGHT_BOOKINGS.settle_due)
        commercial_files.register(flights.FILES)
