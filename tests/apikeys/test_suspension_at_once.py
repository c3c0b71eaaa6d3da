"""An action during a suspension happens before it or is refused, never both."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import transaction

from apikeys.grants import grants
from apikeys.keys import key_expiry, keys, rotation
from apikeys.lifecycle import KeyStatus
from apikeys.models import Grant
from apikeys.suspension import suspension
from console.accounts import members
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core.refusals import Refused
from tests import factories
from tests.apikeys import world
from tests.waiting import in_the_middle_of

WHY = "Traffic to a restricted country."


def stop_business(key, by):
    suspension.suspend(key.business, reason=WHY, by=by)


def stop_grant(key, by):
    grants.suspend(key.grant, reason=WHY, by=by)


def issue(key, owner):
    world.a_key(key.grant, name="Second", by=owner)


def rotate(key, owner):
    rotation.rotate(key, grace=timedelta(hours=1), by=owner)


def enable(key, owner):
    key_expiry.enable(key, by=owner)


def invite(key, owner):
    members.invite(key.business, email="new@example.com", role=Role.DEVELOPER, by=owner)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stop", [stop_business, stop_grant])
@pytest.mark.parametrize("verb", [issue, rotate, enable, invite])
def test_what_begins_beside_a_suspension_is_refused(verb, stop):
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    role = Role.COMPLIANCE if stop is stop_business else Role.ACCOUNT_MANAGER
    reviewer = factories.one_of_staff(role)
    if verb is enable:
        with transaction.atomic():
            keys.move(key, KeyStatus.DISABLED, by=SYSTEM, reason="unused")

    with pytest.raises(Refused):
        in_the_middle_of(partial(stop, key, reviewer), partial(verb, key, owner))
    assert not Grant.objects.get(pk=key.grant_id).keys_work
