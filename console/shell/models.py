"""DemoMail: an e-mail that demo mode stored instead of sending it."""

from django.db import models

from console.core import clock, ids


def mail_id() -> str:
    return ids.new("eml")


class DemoMail(models.Model):
    """A stored e-mail. Only written with DEMO=1, and readable in every process."""

    public_id = models.CharField(max_length=40, unique=True, default=mail_id)
    sent_at = models.DateTimeField(default=clock.now)
    to = models.CharField(max_length=320)
    subject = models.CharField(max_length=300)
    body = models.TextField()

    def __str__(self) -> str:
        return f"{self.subject} to {self.to}"
