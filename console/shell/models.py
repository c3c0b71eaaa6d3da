"""DemoMail: a message that the demo world would have sent."""

from django.db import models

from console.core import clock, ids


def mail_id() -> str:
    return ids.new("eml")


class DemoMail(models.Model):
    """A message kept for reading; written only with DEMO=1, seen by every process."""

    public_id = models.CharField(max_length=40, unique=True, default=mail_id)
    sent_at = models.DateTimeField(default=clock.now)
    to = models.CharField(max_length=320)
    subject = models.CharField(max_length=300)
    body = models.TextField()

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
