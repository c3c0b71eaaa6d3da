"""Run in the shell of the previous release: make a business, and print how to ask for it."""

import json

from django.test import Client

from console.accounts.roles import Role
from tests import factories
from tests.apikeys import world

reviewer = factories.one_of_staff(Role.COMPLIANCE)
client = factories.signed_in(Client(), reviewer)
application = factories.an_application()
grant = world.a_grant(application.business, products=("customers",))
_key, secret = world.a_key(grant, scopes=("customers:read", "customers:write"))
print(json.dumps({"session": client.cookies["session"].value, "secret": secret}))  # noqa: T201  # the test reads it
