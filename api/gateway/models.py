"""Bucket: how much of a limit is used."""

from django.db import models


class Bucket(models.Model):
    """A limit's theoretical arrival time, in seconds since 1970. A crash only empties it."""

    name = models.CharField(max_length=120, primary_key=True)
    arrives = models.FloatField()
    granted = models.IntegerField(default=0)

    def __str__(self) -> str:
        return self.name
