"""Sending e-mails from templates, and the demo backend that stores them for reading."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string

from console.shell.models import DemoMail


def send(template: str, to: str, context: Mapping[str, Any]) -> None:
    """Send `emails/<template>.txt` to one address. Its first line is the subject.

    This uses the network, so call it after commit, from an event listener. The template also gets
    `base_url`.
    """
    values = {"base_url": settings.BASE_URL.rstrip("/"), **context}
    text = render_to_string(f"emails/{template}.txt", values)
    subject, _, body = text.strip().partition("\n")
    EmailMessage(subject=subject.strip(), body=body.strip() + "\n", to=[to]).send()


class DemoMailBackend(BaseEmailBackend):
    """An e-mail backend that stores messages in the database."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        rows = [
            DemoMail(to=to[:320], subject=message.subject[:300], body=str(message.body))
            for message in email_messages
            for to in message.recipients()
        ]
        DemoMail.objects.bulk_create(rows)
        return len(email_messages)
