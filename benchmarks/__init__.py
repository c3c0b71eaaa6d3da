"""Measurements against the peers, printed by `make bench`."""
