"""E-mail in the demo world can be read in the console, and outside it cannot."""

from django.urls import reverse

from console.shell import mail
from console.shell.mail import DemoMailBackend
from console.shell.models import DemoMail
from tests import factories


def a_message(settings, to="amara@example.com"):
    settings.EMAIL_BACKEND = "console.shell.mail.DemoMailBackend"
    person = factories.a_person("Amara <b>Okafor</b>")
    mail.send("confirm_email", to, {"person": person, "path": "/sign-up/confirm/abc/"})
    return DemoMail.objects.get(to=to)


def test_the_first_line_is_the_subject(settings):
    message = a_message(settings)

    assert message.subject == "Confirm your e-mail address"
    assert f"{settings.BASE_URL}/sign-up/confirm/abc/" in message.body
    assert "Amara <b>Okafor</b>" in message.body  # e-mails are plain text, so nothing is escaped


def test_the_support_address_ends_it_and_takes_replies(settings, mailoutbox):
    settings.SUPPORT_EMAIL = "help@console.example"
    mail.send("signed_up_again", "amara@example.com", {"person": factories.a_person()})

    (sent,) = mailoutbox
    assert sent.body.endswith("\nQuestions? Write to help@console.example.\n")
    assert sent.reply_to == ["help@console.example"]


def test_every_reader_of_the_demo_finds_it(client, settings):
    message = a_message(settings)

    assert message.subject in client.get(reverse("shell:mail")).text
    page = client.get(reverse("shell:mail_message", args=[message.public_id])).text
    assert "/sign-up/confirm/abc/" in page
    assert "<b>Okafor" not in page


def test_it_is_found_by_its_reader(client, settings):
    a_message(settings)
    a_message(settings, to="tunde@example.com")
    page = client.get(reverse("shell:mail"), {"to": "tunde"}).text

    assert "tunde@example.com" in page
    assert "amara@example.com" not in page


def test_outside_the_demo_there_is_no_such_page(client, settings):
    message = a_message(settings)
    settings.DEMO = False

    assert client.get(reverse("shell:mail")).status_code == 404
    assert client.get(reverse("shell:mail_message", args=[message.public_id])).status_code == 404


def test_a_mail_to_two_is_read_by_two():
    from django.core.mail import EmailMessage

    DemoMailBackend().send_messages([EmailMessage("S", "B", to=["a@b.example", "c@d.example"])])
    assert DemoMail.objects.count() == 2
