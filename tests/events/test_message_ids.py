"""An e-mail that is sent again after a failure keeps its Message-ID."""

import pytest
from django.core import mail as outgoing
from django.db import transaction

from console.core import clock
from console.events import outbox
from console.events.models import EventDelivery
from console.shell import mail
from tests import factories


@pytest.fixture
def failing(monkeypatch, settings):
    """Send to two people, and fail after that as long as the list has items."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    fails, person = [1], factories.a_person()

    def tell(event):
        for to in ("ada@example.com", "ben@example.com"):
            mail.send("changed_password", to, {"person": person, "at": clock.now()})
        if fails:
            fails.pop()
            raise ConnectionError

    monkeypatch.setitem(outbox._listeners, "test.happened", {"tests.emails": tell})


def ids():
    return [one.extra_headers["Message-ID"] for one in outgoing.outbox]


def published(business):
    with transaction.atomic():
        outbox.publish("test.happened", business)
    factories.settle()


def test_a_repeated_e_mail_keeps_its_id_and_others_have_their_own(failing):
    business = factories.a_business()
    published(business)
    EventDelivery.objects.filter(done_at=None).update(not_before="2000-01-01T00:00:00Z")
    factories.settle()
    first, second, *again = ids()
    assert again == [first, second]
    assert first != second
    assert first.endswith("@access-console.example>")

    published(business)
    assert len(set(ids())) == 4
