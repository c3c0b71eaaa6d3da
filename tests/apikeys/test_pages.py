"""The pages of keys: missing conditions, a key shown once, a key revoked."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apikeys.keys import keys, rotation
from apikeys.lifecycle import GrantStatus, KeyStatus
from apikeys.models import ApiKey, Grant
from apikeys.secrets import SHAPE
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from tests import factories
from tests.apikeys import world


@pytest.fixture
def grant() -> Grant:
    return world.a_grant()


@pytest.fixture
def developer(client: Client, grant: Grant) -> Client:
    return factories.signed_in(client, factories.a_member(grant.business, Role.DEVELOPER))


def at(name: str, grant: Grant, *more: str) -> str:
    return reverse(f"apikeys:{name}", args=[grant.business.public_id, *more])


def form_of(page: Any, **changes: Any) -> dict[str, Any]:
    """Return the data that the form on the page sends."""
    typed = {"name": "Backend, staging", "scopes": ["balances:read"], "days": "90"}
    return typed | {"once": world.once_in(page.text)} | changes


def test_before_the_sandbox_the_page_says_what_is_missing(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))

    page = client.get(reverse("apikeys:keys", args=[business.public_id]))

    assert b"Agreement executed" in page.content
    assert b"Both sides must sign the agreement first." in page.content
    assert b"Create sandbox key" not in page.content

    page = client.get(reverse("apikeys:new_key", args=[business.public_id]))
    assert page.status_code == 409
    assert b"Both sides must sign" in page.content


def test_a_key_is_shown_once_and_never_again(developer, grant):
    page = developer.get(at("new_key", grant))
    typed = form_of(page)

    shown = developer.post(at("new_key", grant), typed)

    found = SHAPE.search(shown.content.decode())
    assert found
    assert shown.status_code == 200
    assert "no-store" in shown.headers["Cache-Control"]
    key = ApiKey.objects.get(public_id=found[1])
    assert key.name == "Backend, staging"

    again = developer.post(at("new_key", grant), typed)
    assert again.status_code == 409
    assert found[2] not in again.content.decode()
    assert found[2] not in developer.get(at("keys", grant)).content.decode()
    assert ApiKey.objects.count() == 1


def test_a_mistake_is_told_and_what_was_typed_is_kept(developer, grant):
    words: bytes
    changes: Any
    for changes, words in [
        ({"name": ""}, b"Enter a name for the key."),
        ({"name": "a\u202eb"}, b"Remove the hidden character"),
        ({"scopes": []}, b"Choose at least one scope."),
        ({"scopes": ["refunds:write"]}, b"Choose scopes from the list."),
        ({"days": ""}, b"Choose when the key expires."),
    ]:
        typed = form_of(developer.get(at("new_key", grant)), name="Kept words")

        page = developer.post(at("new_key", grant), typed | changes)

        assert page.status_code == 200
        assert words in page.content
        assert b"<title>Error: " in page.content
        assert b"There is a problem" in page.content
        assert not ApiKey.objects.exists()
        if "name" not in changes:
            assert b"Kept words" in page.content


def test_a_key_is_marked_as_stored(developer, grant):
    key, _ = world.a_key(grant)

    developer.post(at("stored", grant, key.public_id))
    assert ApiKey.objects.filter(pk=key.pk, stored_at=None).exists()

    page = developer.post(at("stored", grant, key.public_id), {"stored": "yes"}, follow=True)
    key.refresh_from_db()
    first = key.stored_at
    assert first is not None
    assert b"is ready to use" in page.content

    developer.post(at("stored", grant, key.public_id), {"stored": "yes"})
    key.refresh_from_db()
    assert key.stored_at == first


def test_a_secret_that_no_longer_works_is_not_called_ready(developer, grant):
    key, _ = world.a_key(grant)
    keys.note_stored(key, by=factories.owner_of(grant.business))
    typed = {"grace": "24h", "replaces": key.secret_set_at.isoformat()}
    page = developer.post(at("rotate_key", grant, key.public_id), typed).text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)
    said = {"stored": "yes", "seen": html.unescape(seen)}
    stored = at("stored", grant, key.public_id)
    assert "is ready to use" in developer.post(stored, said, follow=True).text

    ApiKey.objects.filter(pk=key.pk).update(stored_at=None)
    rotation.take_back(key, by=SYSTEM)
    assert "no longer works" in developer.post(stored, said).text
    keys.revoke(key, reason="Lost.", by=factories.owner_of(grant.business))
    assert "no longer works" in developer.post(stored, {"stored": "yes"}).text


def test_revoking_asks_for_the_name(developer, grant):
    key, _ = world.a_key(grant, name="Old backend")
    address = at("revoke", grant, key.public_id)

    assert b"Old backend" in developer.get(address).content
    page = developer.post(address, {"name": "old backend", "reason": "Replaced."})
    assert b"Type the name exactly as shown: Old backend" in page.content

    assert b"Say why, in a sentence." in developer.post(address, {"name": "Old backend"}).content
    typed = {"name": "Old backend", "reason": "Replaced."}
    page = developer.post(address, typed, follow=True)
    key.refresh_from_db()
    assert key.status == KeyStatus.REVOKED
    assert b"It has stopped working" in page.content
    assert developer.post(address, typed).status_code == 409


def test_a_signatory_reads_and_may_not_change(client, grant):
    key, _ = world.a_key(grant)
    factories.signed_in(client, factories.a_member(grant.business, Role.SIGNATORY))

    page = client.get(at("keys", grant))
    assert key.public_id.encode() in page.content
    assert b"Revoke" not in page.content
    assert b"Create sandbox key" not in page.content
    assert client.post(at("new_key", grant)).status_code == 403
    assert client.post(at("revoke", grant, key.public_id), {"name": key.name}).status_code == 403


def test_staff_read_the_keys_without_any_secret(client, grant):
    key, plain = world.a_key(grant)
    factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))

    listed = client.get(reverse("apikeys:grants"))
    page = client.get(reverse("apikeys:grant", args=[grant.public_id]))

    assert grant.business.name in listed.content.decode()
    assert key.public_id in page.content.decode()
    assert plain.partition(":")[2] not in page.content.decode()
    assert b"Revoke" not in page.content
    assert b"Suspend" not in page.content


def test_an_account_manager_suspends_and_restores_with_a_reason(client, grant):
    factories.signed_in(client, factories.one_of_staff(Role.ACCOUNT_MANAGER))
    suspend = reverse("apikeys:suspend", args=[grant.public_id])
    restore = reverse("apikeys:restore", args=[grant.public_id])

    assert b"Say why, in a sentence." in client.post(suspend, {"reason": " "}).content
    page = client.post(suspend, {"reason": "Odd traffic since noon."}, follow=True)
    assert b"is now suspended." in page.content
    grant.refresh_from_db()
    assert grant.status == GrantStatus.SUSPENDED
    page = client.post(restore, {"reason": "A load test, announced late."}, follow=True)
    assert b"is now open." in page.content
    assert Entry.objects.filter(subject_id=grant.public_id, code="grant.suspended").count() == 1


def test_the_list_does_not_ask_the_database_once_for_each_key(
    developer, grant, django_assert_max_num_queries
):
    for _ in range(12):
        world.a_key(grant)

    with django_assert_max_num_queries(17):
        developer.get(at("keys", grant))
