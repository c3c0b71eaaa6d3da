"""Flights: offers of seats, and bookings of them."""
