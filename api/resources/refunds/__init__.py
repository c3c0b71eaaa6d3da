"""Refunds: money of a payment that goes back to its payer."""
