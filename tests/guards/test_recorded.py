"""What the site's database role cannot change, or only together with an audit log entry."""

import pytest
from django.db import DatabaseError, connection, transaction

from agreements.lifecycle import PackStatus
from agreements.models import ExecutedFile
from apikeys.keys import keys
from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Role
from console.audit import log as audit
from onboarding.models import Check
from tests import factories
from tests.apikeys import world

pytestmark = pytest.mark.django_db(transaction=True)
ROLE = """
INSERT INTO accounts_membership (public_id, user_id, business_id, role, since)
VALUES ('mem_forged', %s, NULL, 'compliance', now())
"""
FILE = """
INSERT INTO agreements_executedfile (pack_id, name, sha256, seal_sha256)
SELECT pack_id, 'forged.pdf', repeat('a', 64), seal_sha256 FROM agreements_executedfile LIMIT 1
"""
RECORDED, KEPT = "changes together with an audit entry", "never changes"


def as_site(*statements, values=()):
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement, values)


def refused(words, *statements, values=()):
    with pytest.raises(DatabaseError, match=words):
        as_site(*statements, values=values)


def test_a_staff_role_is_given_together_with_an_entry():
    person = factories.a_person()
    staff.give_role(factories.a_person(), Role.LEGAL, by=SYSTEM)

    refused(RECORDED, ROLE, values=[person.pk])
    refused(RECORDED, "UPDATE accounts_membership SET role = 'compliance' WHERE role = 'legal'")
    with transaction.atomic():
        audit.record("staff.role_given", person, by=SYSTEM)  # in an earlier transaction
    refused(RECORDED, ROLE, values=[person.pk])

    assert not Membership.objects.filter(role=Role.COMPLIANCE).exists()
    staff.give_role(person, Role.COMPLIANCE, by=SYSTEM)
    assert Membership.objects.filter(user=person, role=Role.COMPLIANCE).exists()


@pytest.mark.parametrize("first", ["entry", "role"])
def test_an_entry_counts_on_either_side_of_the_change(first):
    person = factories.a_person()
    with transaction.atomic():
        if first == "role":
            as_site(ROLE, values=[person.pk])
        with transaction.atomic():
            audit.record("staff.role_given", person, by=SYSTEM)
        if first == "entry":
            as_site(ROLE, values=[person.pk])

    assert Membership.objects.filter(user=person, business=None).exists()


def test_a_key_never_widens_and_gets_no_other_secret_or_grant():
    key, _ = world.a_key(scopes=("balances:read", "payouts:read"))
    other = world.a_grant()

    refused("no further scope", "UPDATE apikeys_apikey SET scopes = scopes || '{payouts:write}'")
    refused("by a rotation", "UPDATE apikeys_apikey SET digest = sha256('forged')")
    refused("never changes", "UPDATE apikeys_apikey SET grant_id = %s", values=[other.pk])
    refused(RECORDED, "UPDATE apikeys_apikey SET scopes = '{payouts:read}'")
    rotated = "UPDATE apikeys_apikey SET former_digest = digest, digest = sha256('forged')"
    refused(RECORDED, rotated)

    keys.narrow(key, ["payouts:read"], by=factories.owner_of(key.business))
    key.refresh_from_db()
    assert key.scopes == ["payouts:read"]


def test_a_grant_gets_no_product_without_an_entry():
    world.a_grant(products=("customers",))

    refused(RECORDED, "UPDATE apikeys_grant SET products = products || '{payouts}'")
    as_site("UPDATE apikeys_grant SET products = products, networks = networks")


@pytest.mark.parametrize(
    "change",
    [
        "simulated = NOT simulated",
        "provider = 'forged'",
        "says = 'forged'",
        'evidence = \'{"forged": "1"}\'',
        "valid_until = now() + interval '10 years'",
        "finished_at = now()",
    ],
)
def test_a_finished_check_keeps_its_result(change):
    factories.a_reviewed_application()
    assert Check.objects.filter(status="passed").exists()

    refused(KEPT, f"UPDATE onboarding_check SET {change} WHERE status = 'passed'")
    refused(
        RECORDED,
        "UPDATE onboarding_check SET status = 'running' WHERE status = 'passed'",
        f"UPDATE onboarding_check SET {change}, status = 'passed' WHERE status = 'running'",
    )


def test_an_executed_pack_gets_no_further_file():
    pack = factories.a_pack(PackStatus.EXECUTED)
    assert ExecutedFile.objects.filter(pack=pack).count() > 45

    refused("as it is executed", FILE)
