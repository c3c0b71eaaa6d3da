"""Leaked keys: refused in stored texts, and revoked when a report proves the leak."""

import json
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from apikeys import secrets
from apikeys.keys import rotation
from apikeys.lifecycle import Environment, KeyStatus
from apikeys.models import ApiKey
from console.accounts import limits
from console.accounts.limits import Rate
from console.accounts.models import Session
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import text
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.apikeys import world

ADDRESS = reverse("apikeys:report_exposed")


def report(body, client=None):
    return (client or Client()).post(ADDRESS, body, content_type="application/json")


def told(reply):
    return reply.status_code, reply.content


def status_of(key):
    return ApiKey.objects.get(pk=key.pk).status


def test_a_whole_key_in_a_report_is_revoked_and_told():
    key, plain = world.a_key()
    body = json.dumps([{"token": plain, "type": "svc", "url": "https://git.example/x"}])

    assert report(body).status_code == 202

    assert status_of(key) == KeyStatus.REVOKED
    (entry,) = Entry.objects.filter(code="key.revoked", subject_id=key.public_id)
    assert '"reason":"exposed"' in entry.body
    assert entry.actor_name == "Who found a key in public"
    factories.settle()
    (sent,) = mail.outbox
    assert sent.to == [factories.owner_of(key.business).email]
    assert "found in public" in sent.subject
    assert plain not in sent.body + entry.body


def test_everything_else_gets_the_same_answer_and_changes_nothing():
    key, plain = world.a_key()
    key_id, _, secret = plain.partition(":")
    forged = secrets.mint_again(key_id).plain
    unknown = secrets.mint(Environment.LIVE).plain
    bodies = [forged, unknown, plain[:-1], f"{key_id} {secret}", "", "{", "\x00\xff"]

    answers = {told(report(body)) for body in bodies}

    assert status_of(key) == KeyStatus.ACTIVE
    assert answers == {told(report(plain))}
    assert status_of(key) == KeyStatus.REVOKED


def test_every_pair_of_a_report_is_tried(django_assert_max_num_queries):
    key, plain = world.a_key()
    key_id, _, _ = plain.partition(":")
    forged = [secrets.mint_again(key_id).plain for _ in range(150)]
    others = [secrets.mint(Environment.LIVE).plain for _ in range(1500)]

    with django_assert_max_num_queries(30):
        report("\n".join([*forged, plain, *others, *forged]))

    assert status_of(key) == KeyStatus.REVOKED


@pytest.mark.parametrize("cut", [1, 2, 3, 30])
def test_a_cut_key_hides_none_that_follows_it(cut):
    key, plain = world.a_key()

    report(plain[:-cut] + plain)

    assert status_of(key) == KeyStatus.REVOKED


@pytest.mark.parametrize("beyond", [1, 3 * 1024 * 1024])
def test_a_report_that_is_too_large_is_refused_whole_and_in_words(beyond):
    key, plain = world.a_key()
    largest = 256 * 1024

    answer = report(plain + " " * (largest - len(plain) + beyond))

    assert answer.status_code == 413
    assert answer.json()["received"] is False
    assert "256 KiB" in answer.json()["detail"]
    assert "smaller parts" in answer.json()["detail"]
    assert status_of(key) == KeyStatus.ACTIVE
    assert report(" " * (largest - len(plain)) + plain).status_code == 202
    assert status_of(key) == KeyStatus.REVOKED


def test_the_former_secret_counts_while_it_opens():
    key, old = world.a_key()
    owner = factories.owner_of(key.business)
    rotation.rotate(key, grace=timedelta(hours=1), by=owner)
    report(old)
    assert status_of(key) == KeyStatus.REVOKED

    other, old = world.a_key()
    owner = factories.owner_of(other.business)
    other, _ = rotation.rotate(other, grace=timedelta(hours=1), by=owner)
    rotation.end_former(other, by=owner)
    report(old)
    assert status_of(other) == KeyStatus.ACTIVE


def test_it_is_bounded_by_address(monkeypatch):
    monkeypatch.setattr(limits, "EXPOSURES_PER_ADDRESS", Rate(tries=2, seconds=3600))
    key, plain = world.a_key()
    assert [report("nothing").status_code for _ in range(3)] == [202, 202, 429]
    assert report(plain).status_code == 429
    assert status_of(key) == KeyStatus.ACTIVE


def test_it_asks_for_no_token_and_uses_no_session():
    strict = Client(enforce_csrf_checks=True)
    key, plain = world.a_key()
    owner = factories.owner_of(key.business)
    factories.signed_in(strict, owner)

    assert report(plain, strict).status_code == 202
    entry = Entry.objects.get(code="key.revoked", subject_id=key.public_id)
    assert entry.actor_id != owner.public_id


def test_no_form_of_ours_keeps_a_key(client):
    _, plain = world.a_key()
    with pytest.raises(text.UnsafeText, match="API key"):
        text.clean(f"Our key is {plain}.")
    assert text.clean(plain[:-1])

    factories.signed_in(client, factories.a_person())
    page = client.post(reverse("accounts:business_new"), {"name": f"Acme {plain}"})
    assert b"Remove the API key" in page.content


def test_a_key_is_taken_out_however_its_letters_are_written():
    plain = ""
    while "K" not in plain:
        plain = secrets.mint(Environment.SANDBOX).plain
    kelvin = plain.replace("K", "\u212a")
    assert text.keepable(f"Our key is {kelvin}.") == "Our key is [an API key]."


def test_what_waits_while_its_writer_confirms_holds_no_key(client):
    _, plain = world.a_key()
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    factories.long_ago(factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE)))

    page = reverse("onboarding:hold", args=[application.public_id])
    asked = client.post(page, {"note": f"They sent us {plain}.", plain: "as a name"})
    assert "/confirm/" in asked["Location"]
    kept = str(dict(client.session))
    assert "[an API key]" in kept
    assert plain not in kept


def test_what_a_browser_calls_itself_holds_no_key(client):
    _, plain = world.a_key()
    password = "eleven velvet moons sinking"
    person = factories.a_person(password=password)
    typed = {"email": person.email, "password": password}
    client.post(reverse("accounts:sign_in"), typed, headers={"User-Agent": f"Browser/1 {plain}"})

    assert Session.objects.get(user=person).agent == "Browser/1 [an API key]"
