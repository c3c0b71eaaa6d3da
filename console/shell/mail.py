"""Sending e-mails from templates, and the demo backend that stores them for reading."""

from collections.abc import Mapping, Sequence
from email.utils import make_msgid, parseaddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from console.core import handled_event
from console.core.digests import sha256_hex
from console.shell.models import DemoMail


def send(template: str, to: str, context: Mapping[str, Any]) -> None:
    """Send `emails/<template>.txt` to one address. Its first line is the subject.

    It speaks to the network, so it is called after commit: from an event's handler. The template
    knows `base_url` and `console` beside its context. The support address ends every message.
    """
    values = {
        "base_url": settings.BASE_URL.rstrip("/"),
        "console": settings.CONSOLE_NAME,
        **context,
    }
    text = render_to_string(f"emails/{template}.txt", values)
    subject, _newline, body = text.strip().partition("\n")
    body, support = body.strip() + "\n", settings.SUPPORT_EMAIL
    if support:
        body += "\n" + _("Questions? Write to %(support)s.") % {"support": support} + "\n"
    EmailMessage(
        subject=subject.strip(),
        body=body,
        to=[to],
        reply_to=[support] if support else None,
        headers={"Message-ID": _message_id(template, to)},
    ).send()


def _message_id(template: str, to: str) -> str:
    """Return an id that stays the same if an event's e-mail is sent again after a failure."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    if not (event := handled_event.NAME.get()):
        return make_msgid(domain=domain)
    return f"<{sha256_hex(' '.join([event, template, to]).encode())[:40]}@{domain}>"


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
