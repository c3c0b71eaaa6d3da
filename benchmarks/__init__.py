"""Benchmarks against peer libraries, printed by `make bench`."""
