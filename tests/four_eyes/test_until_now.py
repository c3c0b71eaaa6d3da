"""A folder made before knows its reviewers and participants from its rows and its log."""

from importlib import import_module

import pytest

from agreements.approvals import approvals
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.packs import packs
from console.accounts import members
from console.accounts.models import Participant
from console.accounts.roles import Role
from onboarding.checks import runs
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import CaseAct, Reviewer
from onboarding.review import decisions
from tests import given
from tests.conftest import as_owner
from tests.onboarding import answered

pytestmark = pytest.mark.django_db(transaction=True)

STEPS = (
    ("console.accounts.migrations.0003_participants", "BACKFILL"),
    ("onboarding.migrations.0007_reviewers_until_now", "PARTICIPANTS"),
    ("onboarding.migrations.0007_reviewers_until_now", "REVIEWERS"),
    ("agreements.migrations.0004_decisions_by_reviewers", "UNTIL_NOW"),
)


def known():
    return {
        "participants": set(Participant.objects.values_list("business", "person")),
        "reviewers": set(Reviewer.objects.values_list("application", "person", "capacity")),
        "acts": sorted(CaseAct.objects.values_list("reviewer__person", "kind", "note")),
    }


def forget_and_learn_again():
    """Empty the tables as the owner, past their triggers, and fill them as the migrations do."""
    with as_owner() as owner:
        owner.execute("SET LOCAL session_replication_role = replica")
        for table in ("onboarding_caseact", "onboarding_reviewer", "accounts_participant"):
            owner.execute(f"DELETE FROM {table}")
        owner.execute("SET LOCAL session_replication_role = DEFAULT")
        for module, name in STEPS:
            owner.execute(getattr(import_module(module), name))


def test_the_rows_and_the_log_tell_who_did_what():
    signatory = given.a_person("Mara Ellwood", email="mara@kettle.example")
    business = given.a_business("Kettle & Kiosk", owner=signatory)
    left = given.a_person()
    invited = members.invite(business, email=left.email, role=Role.VIEWER, by=signatory)
    members.accept(members.invitation_token(invited), by=left)
    members.set_roles(business, left, [], by=signatory)
    changes = answered.HIGH | answered.LISTED | {"ow_signatory_email": signatory.email}
    application = given.an_application(ApplicationStatus.SUBMITTED, business=business, **changes)
    given.settle_reviews()
    first, second, lawyer = (
        given.one_of_staff(role) for role in (Role.COMPLIANCE, Role.COMPLIANCE, Role.LEGAL)
    )
    check = given.fresh(application).submission.checks.get(status=CheckStatus.NEEDS_REVIEW)
    runs.decide(check, passed=True, reason="Another country.", by=first)
    decisions.hold(application, note="Wait.", by=second)
    decisions.release(application, note="Spoke to them.", by=second)
    given.settle_reviews()
    decisions.clear(application, by=first)
    pack = given.walked(packs.prepare(given.fresh(application), by=None), PackStatus.IN_APPROVAL)
    seen = given.signed_set(pack)
    approvals.send_back(
        pack, DecisionRole.LEGAL, signed_set_sha256=seen, note="Name both.", by=lawyer
    )
    before = known()

    forget_and_learn_again()

    after = known()
    assert after["participants"] == before["participants"]
    assert after["reviewers"] == before["reviewers"]
    assert [one[:2] for one in after["acts"]] == [one[:2] for one in before["acts"]]


def test_who_stood_on_both_sides_is_a_participant_and_no_reviewer():
    application = given.an_application(ApplicationStatus.SUBMITTED)
    reviewer = given.one_of_staff(Role.COMPLIANCE)
    decisions.hold(application, note="Wait.", by=reviewer)
    with as_owner() as owner:
        owner.execute("SET LOCAL session_replication_role = replica")
        owner.execute(
            "INSERT INTO accounts_membership (public_id, user_id, business_id, role, since)"
            " VALUES ('mem_x', %s, %s, 'viewer', now())",
            (reviewer.pk, application.business_id),
        )

    forget_and_learn_again()

    assert not Reviewer.objects.exists()
    assert Participant.objects.of(reviewer, application.business).exists()
