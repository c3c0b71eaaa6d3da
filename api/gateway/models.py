"""Bucket: how much of a limit is used."""

from console.core.gcra import GcraBucket


class Bucket(GcraBucket):
    """A limit of the API. A crash only fills it."""
