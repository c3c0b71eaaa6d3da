"""After a change of a key or its business, the next request is refused."""

from datetime import timedelta
from typing import NamedTuple

import pytest

from apikeys.allowlist import allowlist
from apikeys.keys import keys, rotation
from apikeys.models import ApiKey
from apikeys.suspension import suspension
from console.accounts.models import User
from console.accounts.roles import Role
from tests import factories
from tests.apikeys import world


class Changed(NamedTuple):
    """A key, and what its owner and our staff can do to it."""

    key: ApiKey
    owner: User
    plain: str

    def revoke(self):
        keys.revoke(self.key, reason="Replaced.", by=self.owner)

    def end_former(self):
        rotation.rotate(self.key, grace=timedelta(), by=self.owner)
        rotation.end_former(self.key, by=self.owner)

    def narrow(self):
        keys.narrow(self.key, ["webhooks:read"], by=self.owner)

    def allow_elsewhere(self):
        allowlist.set_of_business(self.key.grant, ["192.0.2.1"], by=self.owner)

    def allow_the_key_elsewhere(self):
        allowlist.set_of_key(self.key, ["192.0.2.1"], by=self.owner)

    def suspend(self):
        officer = factories.one_of_staff(Role.COMPLIANCE)
        suspension.suspend(self.key.business, reason="Traffic.", by=officer)

    def close(self):
        head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
        suspension.close(self.key.business, reason="Traffic.", by=head)


CHANGES = {
    Changed.revoke: "CREDENTIAL_EXPIRED",
    Changed.end_former: "CREDENTIAL_EXPIRED",
    Changed.narrow: "FORBIDDEN_SCOPE",
    Changed.allow_elsewhere: "IP_NOT_ALLOWED",
    Changed.allow_the_key_elsewhere: "IP_NOT_ALLOWED",
    Changed.suspend: "COMPLIANCE_BLOCKED",
    Changed.close: "CREDENTIAL_EXPIRED",
}


@pytest.fixture
def changed():
    key, plain = world.a_key(scopes=("balances:read", "webhooks:read"))
    return Changed(key, factories.owner_of(key.business), plain)


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.__name__)
def test_the_very_next_request_is_refused(api, changed, change):
    assert api.get("/sandbox/v1/me", changed.plain).status == 200

    change(changed)

    assert api.get("/sandbox/v1/me", changed.plain).code == CHANGES[change]
