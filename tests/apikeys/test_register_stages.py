"""The database notes the stage of each business, for all statuses and for changes at once."""

from functools import partial
from itertools import product

import pytest
from django.db import connection, transaction

from agreements.lifecycle import WITH_STAFF, PackStatus
from agreements.models import Pack
from api.demo.bulk_rows import BulkRows
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import Grant
from apikeys.models.staged_business import BusinessStage
from apikeys.register import business_register
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.audit import log as audit
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from tests import databases, factories
from tests.apikeys import world
from tests.waiting import in_the_middle_of

A, P = ApplicationStatus, PackStatus
COMMITS = pytest.mark.django_db(transaction=True)
# The statuses of a business's earlier and newest application, its earlier and newest pack, and its
# live grant.
EARLIER, EARLIER_PACK = (None, A.EXECUTED, A.DECLINED), (None, P.IN_APPROVAL, P.WITHDRAWN)
NEWEST_PACK = (None, *(status for status in P if status != P.EXECUTED))
CASES = list(product(EARLIER, (None, *A), EARLIER_PACK, NEWEST_PACK, (None, *GrantStatus)))


def numbers(place, status):
    """Return the SQL condition for the numbers of the cases with this status in this place."""
    found = [str(n) for n, case in enumerate(CASES, start=1) if case[place] == status]
    return f"n IN ({', '.join(found)})"


def insert_every_case():
    with databases.as_owner() as owner, owner.transaction(), owner.cursor() as cursor:
        databases.go_past_triggers(owner)
        businesses = BulkRows(cursor, 0, len(CASES), lambda said: None)
        businesses.rows(Business, name="'Business ' || id", status="'active'")
        for place, later in ((0, 10_000), (1, 20_000)):
            insert_applications(BulkRows(cursor, later, len(CASES), lambda said: None), place)
        for place, later in ((2, 10_000), (3, 20_000)):
            insert_packs(BulkRows(cursor, later, len(CASES), lambda said: None), place)
        for status in GrantStatus:
            businesses.rows(
                Grant, 1, numbers(4, status), business_id="n", environment=f"'{Environment.LIVE}'",
                status=f"'{status}'", opened_at="now()",
            )  # fmt: skip


def insert_applications(bulk, place):
    for status in {case[place] for case in CASES} - {None}:
        bulk.rows(
            Application, 1, numbers(place, status), business_id="n", status=f"'{status}'",
            submission_id="1", assessment_id="1", submitted_at="now()",
        )  # fmt: skip


def insert_packs(bulk, place):
    for status in {case[place] for case in CASES} - {None}:
        bulk.rows(
            Pack, 1, numbers(place, status), business_id="n", application_id="id",
            number="'P' || id", status=f"'{status}'",
        )  # fmt: skip


def expected(earlier, newest, earlier_pack, newest_pack, live):
    """Return the stage of a business with these statuses."""
    status, pack = newest or earlier, newest_pack or earlier_pack
    if live not in (None, GrantStatus.CLOSED):
        return BusinessStage.LIVE
    if A.EXECUTED in (earlier, newest):
        return BusinessStage.SANDBOX
    if status == A.CLEARED and pack in (P.COUNTERSIGNING, *WITH_STAFF):
        return BusinessStage.APPROVAL
    return {
        None: BusinessStage.NEW, A.DRAFT: BusinessStage.DRAFT, A.RETURNED: BusinessStage.RETURNED,
        A.SUBMITTED: BusinessStage.REVIEW, A.HELD: BusinessStage.REVIEW,
        A.CLEARED: BusinessStage.AGREEMENT,
    }.get(status, BusinessStage.ENDED)  # fmt: skip


@COMMITS
def test_the_stage_of_every_business():
    insert_every_case()
    with connection.cursor() as cursor:
        cursor.execute("SELECT apikeys_stage_of(id) FROM accounts_business ORDER BY id")
        stages = [stage for (stage,) in cursor.fetchall()]

    assert {*stages} == {*BusinessStage}
    assert stages == [expected(*case) for case in CASES]


@COMMITS
@pytest.mark.parametrize("swapped", [False, True])
def test_two_changes_at_once_leave_the_stage_that_follows_from_both(swapped):
    business = factories.an_application().business
    world.a_grant(business, environment=Environment.LIVE)

    @transaction.atomic
    def changed(rows, status):
        rows.update(status=status)
        audit.record("test.moved", rows.get(), by=SYSTEM, after={"status": str(status)})
        connection.check_constraints()  # as at commit

    changes = [
        partial(changed, Grant.objects.all(), GrantStatus.CLOSED),
        partial(changed, Application.objects.all(), ApplicationStatus.WITHDRAWN),
    ]
    in_the_middle_of(*(reversed(changes) if swapped else changes))

    assert business_register.one(business.public_id).get().stage == BusinessStage.ENDED
