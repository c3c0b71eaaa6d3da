"""Payouts to bank accounts."""
