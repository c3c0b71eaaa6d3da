"""Rotating a key: the new secret waits, takes over, and the old one ends."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from apikeys.keys import key_expiry, keys, rotation
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed, WrongStatus
from console.events.models import Event
from tests import factories
from tests.apikeys import world

DAY = timedelta(hours=24)


@pytest.fixture
def key():
    return world.a_key()[0]


@pytest.fixture
def owner(key):
    return factories.owner_of(key.business)


def rotated(key, owner, grace=DAY):
    return rotation.rotate(key, grace=grace, by=owner)[0]


def test_the_new_secret_waits_and_the_old_one_has_a_hard_end(key, owner):
    was = bytes(key.digest)
    key, minted = rotation.rotate(key, grace=DAY, by=owner)

    assert (key.status, minted.key_id) == (KeyStatus.ROTATING, key.public_id)
    assert bytes(key.former_digest) == was != minted.digest == bytes(key.digest)
    assert key.former_ends_at - key.rotated_at == rotation.HARD_END
    assert key.stored_at is None
    assert key.secret_used_at is None


def test_its_first_use_starts_the_grace_once(key, owner):
    key = rotated(key, owner)
    rotation.note_first_use(key.pk, by=SYSTEM)
    first = ApiKey.objects.get(pk=key.pk)
    with time_machine.travel(clock.now() + timedelta(hours=2)):
        rotation.note_first_use(key.pk, by=SYSTEM)

    key.refresh_from_db()
    assert key.former_ends_at - key.secret_used_at == DAY
    assert key.secret_used_at == first.secret_used_at


def test_no_secret_lives_longer_than_the_key(owner):
    key, _ = world.a_key(days=3)
    owner = factories.owner_of(key.business)
    key = rotated(key, owner, grace=timedelta(days=7))
    assert key.former_ends_at == key.expires_at
    rotation.note_first_use(key.pk, by=SYSTEM)
    key.refresh_from_db()
    assert key.former_ends_at == key.expires_at
    with pytest.raises(rotation.NothingToExtend):
        rotation.extend_former(key, by=owner)


def test_a_day_more_ends_at_the_hard_end(key, owner):
    key = rotated(key, owner)
    rotation.note_first_use(key.pk, by=SYSTEM)
    ends: list[Any] = [rotation.extend_former(key, by=owner).former_ends_at for _ in range(6)]

    assert ends[1] - ends[0] == DAY
    assert ends[-1] - key.rotated_at == rotation.HARD_END
    with pytest.raises(rotation.NothingToExtend):
        rotation.extend_former(key, by=owner)


def test_the_old_secret_can_end_now(key, owner):
    key = rotation.end_former(rotated(key, owner), by=owner)

    assert key.status == KeyStatus.ACTIVE
    assert key.former_ends_at <= clock.now()
    assert Event.objects.filter(kind="key.rotated", subject_id=key.public_id).count() == 1


def test_the_clock_ends_a_rotation(key, owner):
    key = rotated(key, owner)
    rotation.note_first_use(key.pk, by=SYSTEM)
    rotation.finish_rotations()
    key.refresh_from_db()
    assert key.status == KeyStatus.ROTATING

    with time_machine.travel(clock.now() + DAY):
        rotation.finish_rotations()
    key.refresh_from_db()
    assert key.status == KeyStatus.ACTIVE


def test_a_key_rotates_once_at_a_time(key, owner):
    key = rotated(key, owner)
    with pytest.raises(WrongStatus):
        rotated(key, owner)


def test_a_new_secret_that_nobody_stores_is_dropped(key, owner):
    was = bytes(key.digest)
    key = rotated(key, owner)
    key_expiry.drop_unconfirmed()
    assert ApiKey.objects.get(pk=key.pk).status == KeyStatus.ROTATING

    with time_machine.travel(clock.now() + key_expiry.UNCONFIRMED):
        key_expiry.drop_unconfirmed()
    key.refresh_from_db()
    assert (key.status, bytes(key.digest)) == (KeyStatus.ACTIVE, was)
    assert key.former_digest is None


@pytest.mark.parametrize("confirmed", ["stored", "used"])
def test_one_that_was_confirmed_stays(key, owner, confirmed):
    key = rotated(key, owner)
    if confirmed == "stored":
        keys.note_stored(key, by=owner)
    else:
        rotation.note_first_use(key.pk, by=SYSTEM)
    with time_machine.travel(clock.now() + key_expiry.UNCONFIRMED):
        key_expiry.drop_unconfirmed()
    assert ApiKey.objects.get(pk=key.pk).status == KeyStatus.ROTATING


def test_a_signatory_may_not(key):
    signatory = factories.a_member(key.business, Role.SIGNATORY)
    for verb in (rotation.end_former, rotation.extend_former):
        with pytest.raises(NotAllowed):
            verb(key, by=signatory)
    with pytest.raises(NotAllowed):
        rotated(key, signatory)
