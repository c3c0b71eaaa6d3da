"""Two secrets of one key in the API."""

from datetime import timedelta

import pytest

from apikeys.keys import rotation
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.audit.models import Entry
from tests import factories
from tests.apikeys import world


@pytest.fixture
def rotated():
    key, old = world.a_key()
    owner = factories.owner_of(key.business)
    key, minted = rotation.rotate(key, grace=timedelta(hours=24), by=owner)
    return key, owner, old, minted.plain


def me(api, key, plain):
    return api.get("/sandbox/v1/me", plain)


def test_the_old_secret_goes_on_until_the_new_one_is_used(api, rotated):
    key, _, old, new = rotated
    reply = me(api, key, old)
    assert reply.json["key"]["rotation"]["state"] == "awaiting_first_use"
    key.refresh_from_db()
    assert key.secret_used_at is None

    first = me(api, key, new)
    key.refresh_from_db()
    assert first.status == 200
    assert key.former_ends_at - key.secret_used_at == timedelta(hours=24)
    (entry,) = Entry.objects.filter(code="key.secret_used", subject_id=key.public_id)
    assert entry.request_id == first.headers["X-Request-Id"]
    for plain in (old, new):
        reply = me(api, key, plain)
        assert reply.json["key"]["rotation"]["state"] == "grace"


def test_the_former_secret_is_told_that_it_was_rotated(api, rotated):
    key, owner, old, new = rotated
    assert me(api, key, new).status == 200
    rotation.end_former(key, by=owner)

    reply = me(api, key, old)
    assert (reply.status, reply.code) == (401, "CREDENTIAL_EXPIRED")
    assert reply.json["reason"] == "rotated"
    assert me(api, key, new).json["key"]["rotation"] is None


def test_it_ends_on_time_though_nobody_has_written_that_down(api, rotated):
    key, _, old, new = rotated
    assert me(api, key, new).status == 200
    factories.change(ApiKey.objects.filter(pk=key.pk), former_ends_at=key.rotated_at)
    assert ApiKey.objects.get(pk=key.pk).status == KeyStatus.ROTATING
    assert me(api, key, old).json["reason"] == "rotated"
    assert me(api, key, new).status == 200


def test_a_third_secret_is_none(api, rotated):
    key = rotated[0]
    other, plain = world.a_key()
    mixed = f"{key.public_id}:{plain.partition(':')[2]}"
    assert me(api, key, mixed).code == "INVALID_CREDENTIALS"
    assert me(api, other, plain).status == 200
