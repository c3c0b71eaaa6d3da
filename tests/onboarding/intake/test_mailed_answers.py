"""Answers used in e-mails that were saved before web addresses were refused in them."""

from typing import Any

import pytest

from console.accounts.models import User
from console.accounts.roles import Role
from console.core.refusals import NotReady
from onboarding.intake import answers, applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.questionnaire import completeness
from onboarding.questionnaire.answering import AnswerState
from tests import factories
from tests.onboarding.intake.sending import address, body

COLLEAGUE: dict[str, Any] = {
    "ow_signatory": "colleague",
    "ow_signatory_name": "Tomos Rhys",
    "ow_signatory_email": "tomos@kettle.example",
}
OLD = {
    "ow_signatory_name": ("Claim at evil.com", "Remove the web address"),
    "ow_signatory_email": ("evil.com/x@kettle.example", "a web address before the @"),
    "li_contact_email": ("www.evil.com@kettle.example", "a web address before the @"),
}


def put(application, key, value):
    """Save an answer as an earlier version did; return its section."""
    row = answers.answer_set(application).rows[key]
    row.pk, row.revision, row.value = None, row.revision + 1, value
    row.save()
    return row.section


@pytest.fixture
def draft():
    return factories.an_application("answered", **COLLEAGUE)


@pytest.mark.parametrize("key", OLD)
def test_the_pages_say_so_when_they_are_opened_and_it_cannot_be_submitted(client, draft, key):
    old, words = OLD[key]
    page = factories.signed_in(client, factories.owner_of(draft.business))
    assert "There is a problem" not in body(page.get(address(draft, "check")))
    section = put(draft, key, old)

    opened = body(page.get(address(draft, "section", section)))
    assert f'href="#q-{key}"' in opened
    assert opened.count(words) == 2  # in the summary and at the question
    check = body(page.get(address(draft, "check")))
    assert f'href="{address(draft, "section", section)}?back=check#q-{key}"' in check
    assert words in check
    assert "Declare and submit" in check
    assert 'name="declared"' not in check
    kept = answers.answer_set(draft)
    states = completeness.states(kept.edition, kept.values, kept.unreadable)
    assert states[section] == AnswerState.PROBLEM

    refused = page.post(address(draft, "submit"), {"declared": "on"})
    assert refused.status_code == 422
    assert words in body(refused)
    assert f'href="{address(draft, "section", section)}?back=check#q-{key}"' in body(refused)
    assert factories.fresh(draft).status == ApplicationStatus.DRAFT


def test_what_is_not_answered_leads_to_its_question_too(page, application):
    refused = body(page.post(address(application, "submit"), {"declared": "on"}))

    section = address(application, "section", "legal_identity")
    assert f'href="{section}?back=check#q-li_country_incorporation"' in refused


def test_who_signs_under_an_account_that_holds_a_web_address_gives_the_name_without_it(client):
    application = factories.an_application("answered", ow_signatory="me")
    owner = factories.owner_of(application.business)
    administrator = factories.a_member(application.business, Role.ADMINISTRATOR)
    User.objects.filter(pk=administrator.pk).update(name="Claim at evil.com")
    row = answers.answer_set(application).rows["ow_signatory"]
    row.pk, row.revision, row.by = None, row.revision + 1, User.objects.get(pk=administrator.pk)
    row.save()

    with pytest.raises(NotReady) as refused:
        applications.submit(application, declared=True, by=owner)

    assert [blocker.code for blocker in refused.value.blockers] == ["ow_signatory"]
    assert "enter the name without it" in refused.value.blockers[0].message
    page = factories.signed_in(client, owner)
    check = body(page.get(address(application, "check")))
    assert "?back=check#q-ow_signatory" in check
    assert "enter the name without it" in check
