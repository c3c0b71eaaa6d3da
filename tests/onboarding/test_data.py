"""Database constraints, tested by bypassing the application code."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from console.core.clock import now
from onboarding.lifecycle import CHECK_LIFECYCLE, LIFECYCLE, ApplicationStatus, CheckStatus
from onboarding.models import Answer, Application, Assessment, Check, Submission
from tests import factories
from tests.onboarding import answered


def refused(queryset, by, **changes):
    with pytest.raises((IntegrityError, DatabaseError), match=by), transaction.atomic():
        queryset.update(**changes)


def row(thing):
    return type(thing).objects.filter(pk=thing.pk)


def test_an_application_moves_by_the_table(application):
    for to in set(ApplicationStatus) - {ApplicationStatus.DRAFT}:
        if not LIFECYCLE.allows(ApplicationStatus.DRAFT, to):
            refused(row(application), "application_moves_by_the_table", status=to)


def test_a_status_is_known(application):
    refused(row(application), "by_the_table|is_known", status="frozen")


def test_an_application_begins_as_a_draft():
    business = factories.a_business()

    with pytest.raises(IntegrityError, match="application_moves_by_the_table"):
        Application.objects.create(business=business, edition="2026-11", status="submitted")


def test_a_business_has_one_open_application(application):
    with pytest.raises(IntegrityError, match="one_open_application_per_business"):
        Application.objects.create(business=application.business, edition="2026-11")


def test_what_is_reviewed_was_submitted(application):
    rule = "what_is_reviewed_was_submitted"
    refused(row(application), rule, status=ApplicationStatus.SUBMITTED)


def test_what_is_cleared_was_assessed():
    application = factories.an_application(ApplicationStatus.SUBMITTED)

    refused(row(application), "what_is_cleared_was_assessed", status=ApplicationStatus.CLEARED)


def test_an_answer_is_a_value_or_what_was_typed(application):
    with pytest.raises(IntegrityError, match="an_answer_is_a_value_or_what_was_typed"):
        Answer.objects.create(
            application=application,
            section="products",
            question="pr_use",
            revision=1,
            value="a",
            typed="b",
            by=factories.owner_of(application.business),
            at=now(),
        )


def test_what_was_said_never_changes():
    factories.a_reviewed_application()

    tables = [model._meta.db_table for model in (Answer, Submission, Assessment)]
    changes = [
        change
        for table in tables
        for change in (f"UPDATE {table} SET id = id", f"DELETE FROM {table}")
    ]
    for change in changes:
        with (
            pytest.raises(DatabaseError, match=r"rows never change|permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change)


def test_a_score_is_at_most_a_hundred():
    assessment = factories.a_reviewed_application().assessment
    assessment.pk, assessment.score_x100, assessment.number = None, 10_001, 2
    assessment.public_id = "asm_other"

    with pytest.raises(IntegrityError, match="a_score_is_at_most_a_hundred"):
        assessment.save(force_insert=True)


def test_a_check_moves_by_the_table():
    check = Check.objects.filter(application=factories.a_reviewed_application()).order_by("pk")[0]
    others = [status for status in CheckStatus if status != CheckStatus.PASSED]
    refusals = [to for to in others if not CHECK_LIFECYCLE.allows(CheckStatus.PASSED, to)]
    assert refusals
    for to in refusals:
        by = "waived by two people" if to == CheckStatus.WAIVED else "check_moves_by_the_table"
        refused(row(check), by, status=to)


def test_a_decision_on_a_check_is_whole():
    application = factories.a_reviewed_application(**answered.LISTED)
    check = Check.objects.filter(submission=application.submission)[0]

    refused(row(check), "a_decision_on_a_check_is_whole", decided_at=now())


def test_a_check_is_made_once():
    check = Check.objects.filter(application=factories.a_reviewed_application()).order_by("pk")[0]
    check.pk, check.public_id, check.status = None, "chk_other", CheckStatus.PENDING

    with pytest.raises(IntegrityError, match="one_check_for_each_question"):
        check.save(force_insert=True)
