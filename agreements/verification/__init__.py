"""Inspect uploaded files, compare them with our register, and give a verdict."""
