"""The register's filter by stage finds exactly the businesses that show this stage."""

from itertools import product

import pytest

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from api.demo.bulk_rows import BulkRows
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import Grant
from apikeys.register import business_register
from console.accounts.models import Business, User
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from tests import databases

A, P = ApplicationStatus, PackStatus
# The statuses of a business's earlier and newest application, its earlier and newest pack, and its
# live grant.
EARLIER, PACKS = (None, A.EXECUTED, A.DECLINED), (None, P.IN_APPROVAL, P.SEAL_FAILED, P.WITHDRAWN)
CASES = list(product(EARLIER, (None, *A), PACKS, PACKS, (None, *GrantStatus)))


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


@pytest.mark.django_db(transaction=True)
def test_the_filter_by_stage_agrees_with_the_stage_of_each_business():
    insert_every_case()
    person = User()
    every = business_register.rows({}, person).values_list("stage", "pk")

    shown = {stage: {pk for one, pk in every if one == stage} for stage in business_register.STAGES}
    found = {
        stage: {one.pk for one in business_register.rows({"stage": stage}, person)}
        for stage in business_register.STAGES
    }

    assert len(every) == len(CASES)
    assert all(shown.values())
    assert found == shown
