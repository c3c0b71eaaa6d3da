"""Applications of earlier editions, which asked for owners in rows, are used as before."""

from html import unescape

import pytest
from django.test import Client

from console.accounts.roles import Role
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.questionnaire import loading
from onboarding.review import ask_form
from tests import factories
from tests.onboarding.answered import OWNER_ROWS, OWNERS
from tests.onboarding.intake.sending import address, body

# The newest edition that asked for owners in rows.
EDITION = "2026-11.3"


@pytest.fixture
def application(db: None) -> Application:
    factories.published(loading.EDITIONS, EDITION)
    application = factories.a_reviewed_application(**OWNER_ROWS)
    assert application.edition == EDITION
    return application


def test_it_is_checked_scored_and_cleared_as_before(application):
    subjects = application.submission.checks.filter(kind="screening").values_list(
        "subject", flat=True
    )

    assert set(subjects) == {"company", "owner.0", "owner.1"}
    assert application.status == ApplicationStatus.CLEARED


def test_its_pages_show_the_rows(application, client):
    factories.signed_in(client, factories.owner_of(application.business))
    text = unescape(body(client.get(address(application, "submitted"))))
    assert "Mara Ellwood, 60 %, United Kingdom, 2 May 1984" in text

    staff = factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))
    assert "Mara Ellwood" in staff.get(application.case_url).text
    form = ask_form.AskForm(application=application, initial={"about_1": OWNERS})
    assert form.initial["about_1"] == "ow_owners"


def test_its_draft_is_filled_in_as_before(db, client):
    factories.published(loading.EDITIONS, EDITION)
    application = factories.an_application()
    factories.signed_in(client, factories.owner_of(application.business))
    at = address(application, "section", "ownership")
    assert 'name="ow_owners.1.share"' in client.get(at).text

    sent = {"asked": "ow_owners", "revision": 0, "ow_owners.0.name": "Ada"}
    answer = client.post(at, sent)

    assert answer.status_code == 422
    assert "Row 1: fill in “Share in %”." in unescape(body(answer))
