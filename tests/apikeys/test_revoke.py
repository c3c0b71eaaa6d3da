"""Revoking and expiring keys."""

from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.db import IntegrityError

from apikeys.keys import keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed
from console.events.models import Event
from tests import factories
from tests.apikeys import world


def test_it_ends_a_key():
    key, _ = world.a_key()
    key = keys.revoke(key, reason="Replaced.", by=factories.owner_of(key.business))

    assert key.status == KeyStatus.REVOKED
    assert key.ended_at is not None
    assert not key.opens
    assert Event.objects.filter(kind="key.revoked", subject_id=key.public_id).count() == 1


def test_a_stranger_may_not():
    key, _ = world.a_key()

    with pytest.raises(NotAllowed):
        keys.revoke(key, reason="Replaced.", by=factories.owner_of(factories.a_business()))
    with pytest.raises(NotAllowed):
        keys.revoke(key, reason="Replaced.", by=factories.one_of_staff(Role.ACCOUNT_MANAGER))


@pytest.mark.django_db(transaction=True)
def test_eight_people_at_once_revoke_it_once():
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    revoke = partial(keys.revoke, key, reason="Replaced.", by=owner)
    assert world.pressed_at_once(revoke, 8) == 1
    assert Event.objects.filter(kind="key.revoked").count() == 1


def test_the_clock_ends_what_has_outlived_its_time():
    key, _ = world.a_key(days=30)
    other, _ = world.a_key(days=60)

    with time_machine.travel(clock.now() + timedelta(days=31), tick=False):
        keys.expire_outlived()
        keys.expire_outlived()

    key.refresh_from_db()
    other.refresh_from_db()
    assert (key.status, other.status) == (KeyStatus.EXPIRED, KeyStatus.ACTIVE)


def test_nobody_expires_a_key_before_its_time():
    key, _ = world.a_key()

    with pytest.raises(keys.CannotExpire):
        keys.expire(key, by=SYSTEM)


def test_an_ended_key_says_when():
    key, _ = world.a_key()

    with pytest.raises(IntegrityError, match="an_ended_key_says_when"):
        ApiKey.objects.filter(pk=key.pk).update(status=KeyStatus.REVOKED)
