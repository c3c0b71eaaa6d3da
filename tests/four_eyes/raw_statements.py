"""SQL statements that the site's role must not make about a case, and the rules against them."""

from collections.abc import Iterator
from typing import Any

from django.db import models

from agreements.lifecycle import PackStatus
from agreements.models import Document, Receipt
from console.accounts import members
from console.accounts.roles import Role
from onboarding.review import decisions
from tests import factories
from tests.four_eyes import cases
from tests.four_eyes.cases import NOTE, Case

# The expected rule ("" if allowed), the statement and its values.
Refusal = tuple[str, str, tuple[Any, ...]]
STATUS = "UPDATE {} SET status = %s WHERE id = %s"


def like(row: models.Model, **changes: Any) -> tuple[str, tuple[Any, ...]]:
    """Return SQL and values that insert a copy of the row with these columns changed."""
    names = [field.column for field in row._meta.concrete_fields if field.column != "id"]
    found = ", ".join("%s" if name in changes else f'"{name}"' for name in names)
    into = ", ".join(f'"{name}"' for name in names)
    table = row._meta.db_table
    values = (*(changes[name] for name in names if name in changes), row.pk)
    return f"INSERT INTO {table} ({into}) SELECT {found} FROM {table} WHERE id = %s", values


def rows_of_two_cases(case: Case) -> Iterator[Refusal]:
    """Yield statements that move a check, score, submission, pack or revision to another case."""
    other = factories.a_pack(PackStatus.READY_TO_SIGN)
    here, there = case.application, factories.fresh(other.application)
    assert here.assessment is not None
    mine, theirs = here.submission_id, there.submission_id
    point = "UPDATE onboarding_application SET {} = %s WHERE id = %s"
    foreign = like(
        case.check, public_id="chk_x", submission_id=theirs, status="pending", subject="x"
    )
    yield "a_check_is_of_its_own_submission", *foreign
    score = here.assessment
    foreign = like(score, public_id="asm_x", number=99, submission_id=theirs)
    yield "an_assessment_is_of_its_own_submission", *foreign
    of_submission = point.format("submission_id"), (mine, there.pk)
    yield "what_is_reviewed_is_the_newest", *of_submission
    of_score = point.format("assessment_id"), (score.pk, there.pk)
    yield "what_is_reviewed_is_the_newest", *of_score
    owner = factories.owner_of(case.pack.business)
    invitation = members.invite(
        case.pack.business, email="x@example.com", role=Role.VIEWER, by=owner
    )
    of_invitation = point.format("invitation_id"), (invitation.pk, there.pk)
    yield "an_application_has_its_own_invitation", *of_invitation
    revision = "UPDATE agreements_pack SET revision_id = %s WHERE id = %s"
    yield "a_pack_has_its_own_revision", revision, (case.now.revision_id, other.pk)
    pack = {"public_id": "pak_x", "number": "x", "revision_id": None, "status": "generating"}
    of_another = like(other, **pack, business_id=case.pack.business_id)
    # An application can have only one live pack, so withdraw the other one first.
    yield "", STATUS.format("agreements_pack"), ("withdrawn", other.pk)
    yield "a_pack_is_of_its_own_application", *of_another
    yield "a_tier_is_that_of_its_case", *like(other, **pack, tier="NONE")


def people_who_come_again(case: Case) -> Iterator[Refusal]:
    """Yield deletions of a reviewer and a participant, who could return under a new key."""
    gone = "DELETE FROM accounts_user WHERE id = %s"
    cleared_by = case.application.reviewers.get().person_id
    yield "who_reviewed_stays", gone, (cleared_by,)
    yield "who_took_part_stays", gone, (factories.owner_of(case.pack.business).pk,)


def moves_that_nobody_made(case: Case) -> Iterator[Refusal]:
    """Yield status changes that lack the decision they represent; an act allows one move only."""
    pack, at = case.pack.pk, case.pack.application_id
    of_pack, of_case = STATUS.format("agreements_pack"), STATUS.format("onboarding_application")
    for status in ("approved", "returned"):
        yield "a_pack_is_decided_by_its_approvers", of_pack, (status, pack)
    for status in ("returned", "declined"):
        yield "what_is_judged_has_its_act", of_case, (status, at)
    compliance = case.colleagues["compliance"]
    decisions.hold(case.application, note=NOTE, by=compliance)
    yield "what_is_judged_has_its_act", of_case, ("submitted", at)
    yield "what_is_judged_has_its_act", of_case, ("declined", at)
    decisions.release(case.application, note=NOTE, by=compliance)
    # The earlier act of clearing belongs to another transaction.
    yield "what_gives_concerns_is_cleared_by_the_head", of_case, ("cleared", at)
    cases.ask(case)
    of_check = STATUS.format("onboarding_check")
    for status in ("passed", "failed"):
        yield "a_check_that_needs_a_person_has_one", of_check, (status, case.check.pk)


def evidence_that_comes_late(case: Case) -> Iterator[Refusal]:
    """Yield insertions of a receipt and a document into a signed revision."""
    person = case.colleagues["compliance"].pk
    receipt = Receipt.objects.filter(document__revision=case.now.revision)[0]
    added = like(receipt, person_id=person)
    yield "receipts_of_what_was_signed_are_kept", *added
    document = Document.objects.filter(revision=case.now.revision)[0]
    late = like(document, public_id="doc_x", code="X", status="rendering")
    yield "what_was_signed_gets_no_document", *late


def of_the_case(case: Case) -> Iterator[Refusal]:
    yield from rows_of_two_cases(case)
    yield from people_who_come_again(case)
    yield from evidence_that_comes_late(case)
    yield from moves_that_nobody_made(case)
