"""Verification checks: which are required, running them, deciding them and waiving them."""
