"""App config, what the passing of time does to bookings of flights."""

from django.apps import AppConfig


class FlightsConfig(AppConfig):
    """Bookings of flights."""

    name = "api.resources.flights"
    label = "flights"

    def ready(self) -> None:
        from api.resources import commercial_files
        from api.resources.disbursements import DISBURSEMENT_STATUSES
        from api.resources.flights import lifecycle, offers
        from api.resources.flights.bookings import BOOKINGS
        from console.audit import messages
        from console.core import schedule, status_table

        status_table.register(
            "flights.FlightBooking", lifecycle.BOOKING_LIFECYCLE, DISBURSEMENT_STATUSES
        )
        messages.register(lifecycle.SENTENCES)
        schedule.every_minute("flights.settle_due", BOOKINGS.settle_due)
        commercial_files.register(offers.FILES)
