"""Timed jobs of keys, and their notices."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail

from apikeys import notice_emails
from apikeys.keys import key_expiry, keys, presets, rotation
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey, RequestLog
from console.accounts import limits, recipients
from console.accounts.actors import RECIPIENT
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed, WrongStatus
from console.events.models import Event
from tests import factories
from tests.apikeys import world
from tests.onboarding import answered


@pytest.fixture
def contacted():
    """A key whose business named a technical contact."""
    application = factories.a_reviewed_application(
        **answered.HIGH, pr_tech_email="tech@acme.example"
    )
    return world.a_key(world.a_grant(application.business), days=40)[0]


def after(days=0.0, minutes=0.0):
    return time_machine.travel(clock.now() + timedelta(days=days, minutes=minutes, seconds=1))


def status_of(key):
    return ApiKey.objects.get(pk=key.pk).status


def noticed(key, kind):
    rows = Event.objects.filter(kind=kind, subject_id=key.public_id).order_by("pk")
    return [event.payload["days"] for event in rows]


def test_a_key_that_nobody_stored_or_used_is_revoked_after_15_minutes():
    key, _ = world.a_key()
    with after(minutes=14):
        key_expiry.drop_unconfirmed()
    assert status_of(key) == KeyStatus.ACTIVE
    with after(minutes=15):
        key_expiry.drop_unconfirmed()
        factories.settle()
    assert status_of(key) == KeyStatus.REVOKED
    assert [sent.to for sent in mail.outbox] == [[factories.owner_of(key.business).email]]
    assert "not stored" in mail.outbox[0].subject


@pytest.mark.parametrize("confirmed", ["stored", "used", "in the log"])
def test_one_that_was_stored_or_used_stays(confirmed):
    key, _ = world.a_key()
    if confirmed == "stored":
        keys.note_stored(key, by=factories.owner_of(key.business))
    elif confirmed == "used":
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=clock.now())
    else:
        RequestLog.objects.create(
            at=clock.now(), request_id="req_1", business=key.business, key_id=key.public_id,
            environment="sandbox", method="GET", path="/me", status=200, microseconds=1,
        )  # fmt: skip
    with after(minutes=15):
        key_expiry.drop_unconfirmed()
    assert status_of(key) == KeyStatus.ACTIVE


def test_a_secret_that_was_just_rotated_has_its_own_15_minutes():
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    with after(minutes=20):
        rotation.rotate(key, grace=timedelta(), by=owner)
        rotation.end_former(key, by=owner)
        key_expiry.drop_unconfirmed()
    assert status_of(key) == KeyStatus.ACTIVE
    with after(minutes=36):
        key_expiry.drop_unconfirmed()
    assert status_of(key) == KeyStatus.REVOKED


def test_the_end_of_a_key_is_told_30_14_7_and_1_days_before():
    key, _ = world.a_key(days=40)
    for day in (9, 10, 11, 25, 26, 32, 33, 38, 39, 40):
        with after(days=day):
            key_expiry.give_notices()
            key_expiry.give_notices()
    assert noticed(key, "key.expiring") == ["30", "14", "7", "1"]


def test_a_short_key_hears_only_what_lies_ahead_of_it():
    key, _ = world.a_key(days=10)
    key_expiry.give_notices()
    assert noticed(key, "key.expiring") == []
    with after(days=9.5):
        key_expiry.give_notices()
    assert noticed(key, "key.expiring") == ["1"]


def test_an_unused_key_is_warned_disabled_and_returned():
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    keys.note_stored(key, by=owner)
    for day in (75, 76, 80, 83, 89):
        with after(days=day):
            key_expiry.give_notices()
            key_expiry.disable_unused()
    assert noticed(key, "key.unused") == ["76", "83"]
    assert status_of(key) == KeyStatus.ACTIVE

    with after(days=90):
        key_expiry.disable_unused()
        assert status_of(key) == KeyStatus.DISABLED
        key_expiry.enable(key, by=owner)
        key_expiry.disable_unused()
    assert status_of(key) == KeyStatus.ACTIVE
    with after(days=167):
        key_expiry.give_notices()
    assert noticed(key, "key.unused") == ["76", "83", "76"]


def test_a_use_begins_the_90_days_anew():
    key, _ = world.a_key()
    with after(days=80):
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=clock.now())
    with after(days=90):
        key_expiry.disable_unused()
    assert status_of(key) == KeyStatus.ACTIVE


def test_only_a_disabled_key_is_returned_by_who_may():
    key, _ = world.a_key()
    with pytest.raises(WrongStatus):
        key_expiry.enable(key, by=factories.owner_of(key.business))
    with pytest.raises(NotAllowed):
        key_expiry.enable(key, by=factories.a_member(key.business, Role.VIEWER))


def test_owner_and_technical_contact_are_told(contacted):
    key, contact = contacted, "tech@acme.example"
    with after(days=39.5):
        key_expiry.give_notices()
        factories.settle()
    told = {sent.to[0]: sent.body for sent in mail.outbox if "expires within" in sent.subject}
    assert set(told) == {factories.owner_of(key.business).email, contact}
    link = [word for word in told[contact].split() if "/not-me/" in word]

    recipients.stop(link[0].split("/")[-2], by=RECIPIENT)
    mail.outbox.clear()
    with after(days=89):
        second, _ = world.a_key(key.grant, days=20)
    with after(days=108.5):
        key_expiry.give_notices()
        factories.settle()
    assert mail.outbox
    assert contact not in [sent.to[0] for sent in mail.outbox if second.public_id in sent.body]


def test_not_me_counts_for_every_spelling_of_the_technical_contact():
    application = factories.a_reviewed_application(pr_tech_email="tech+x@acme.example")
    key, _ = world.a_key(world.a_grant(application.business))
    link = recipients.not_me_path("tech@acme.example", key.business)
    recipients.stop(link.split("/")[-2], by=RECIPIENT)
    mail.outbox.clear()
    context = {"key": key, "business": key.business, "what": "exposed"}
    notice_emails.send("key_notice", key.business, context, Role.OWNER)

    assert [sent.to[0] for sent in mail.outbox] == [factories.owner_of(key.business).email]


@pytest.mark.usefixtures("stopped_clock")
def test_the_technical_contact_gets_so_much_a_day_and_owners_all_of_it(caplog, contacted):
    key = contacted
    mail.outbox.clear()
    most = limits.NOTICES_PER_RECIPIENT.tries
    context = {"key": key, "business": key.business, "what": "exposed"}
    for _ in range(most + 1):
        notice_emails.send("key_notice", key.business, context, Role.OWNER)

    told = [sent.to[0] for sent in mail.outbox]
    assert told.count("tech@acme.example") == most
    assert told.count(factories.owner_of(key.business).email) == most + 1
    [line] = [one for one in caplog.records if one.message == "mail_over_limit"]
    assert line.business == key.business.public_id


def test_presets_are_cut_to_what_is_offered():
    offered = ["balances:read", "checkout:read", "checkout:write", "payouts:write", "usage:read"]
    found = {one.key: presets.scopes_of(one.key, offered) for one in presets.PRESETS}
    assert found == {
        "read_only": ["balances:read", "checkout:read", "usage:read"],
        "take_payments": ["balances:read", "checkout:read", "checkout:write"],
        "pay_out": ["balances:read", "payouts:write"],
        "everything": offered,
    }
    assert presets.scopes_of("unknown", offered) == found["read_only"]
