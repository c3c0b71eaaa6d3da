"""Verification checks: what is asked of whom outside, how it went, what is still open."""
