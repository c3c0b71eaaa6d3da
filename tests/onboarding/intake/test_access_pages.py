"""The questionnaire's pages with plain forms, without JavaScript."""

import re

import pytest
from django.urls import reverse

from onboarding.intake import answers
from onboarding.lifecycle import ApplicationStatus
from onboarding.questionnaire import loading
from tests import factories
from tests.onboarding import answered
from tests.onboarding.intake.sending import address, body, sent


def test_it_offers_to_start(client):
    business = factories.a_business()
    client = factories.signed_in(client, factories.owner_of(business))

    answer = client.post(reverse("onboarding:start", args=[business.public_id]))

    assert answer.status_code == 302
    assert "section 1 of 12" in body(client.get(answer["Location"]))
    assert "0 of 12 sections completed" in body(
        client.get(reverse("onboarding:access", args=[business.public_id]))
    )


def test_the_list_says_how_far_every_section_is(page, application):
    page.post(address(application, "section", "settlement"), sent("settlement"))
    page.post(address(application, "section", "products"), sent("products", pr_tech_email="nobody"))
    page.post(
        address(application, "section", "downstream"),
        {"asked": "dm_type", "dm_type": "sub_merchants", "later": "1"},
    )

    text = body(page.get(address(application)))

    assert "1 of 12 sections completed" in text
    states = re.findall(r'data-state="(done|problem|progress|todo|locked)" id="st-', text)
    assert states.count("done") == 1
    assert states.count("problem") == 1
    assert states.count("progress") == 1
    assert states.count("todo") == 9
    assert "Cannot start yet" in text


@pytest.mark.parametrize("section", loading.EDITIONS.newest().sections, ids=lambda s: s.key)
def test_every_section_opens_and_keeps_its_answers(page, application, section):
    url = address(application, "section", section.key)
    assert page.get(url).status_code == 200

    answer = page.post(url, sent(section.key))

    assert answer.status_code == 302, body(answer)
    kept = answers.answer_set(application).values
    assert set(kept) == {q.key for q in section.questions if q.key in answered.KIOSK}
    assert page.get(url).status_code == 200


def test_what_is_kept_is_shown_again_as_it_was_typed(page, application):
    url = address(application, "section", "volumes")
    page.post(url, sent("volumes"))

    text = body(page.get(url))

    assert 'value="18000.00"' in text
    assert "Saved" in text


def test_a_wrong_answer_is_kept_as_typed_and_explained(page, application):
    url = address(application, "section", "volumes")

    answer = page.post(url, sent("volumes", vo_m12_count="plenty"))

    text = body(answer)
    assert answer.status_code == 422
    assert "<title>Error: Expected volumes" in text
    assert 'href="#q-vo_m12_count"' in text
    assert "Payments each month" in text
    assert 'value="plenty"' in text
    assert answers.answer_set(application).values["vo_currency"] == "GBP"
    assert 'value="plenty"' in body(page.get(url))


def test_an_unfinished_section_says_what_is_missing_only_when_one_goes_on(page, application):
    url = address(application, "section", "settlement")

    later = page.post(url, sent("settlement", se_model="") | {"later": "1"})
    onward = page.post(url, sent("settlement", revision=1, se_model=""), follow=True)

    assert later["Location"] == address(application)
    assert "Answer “When should we settle?”." in body(onward)
    assert "Error: " in body(onward)


def test_an_answer_that_brings_up_questions_stays_on_the_page(page, application):
    url = address(application, "section", "downstream")

    answer = page.post(url, sent("downstream", dm_type="sub_merchants"), follow=True)

    assert "lead to more questions" in body(answer)
    assert "May they act for other businesses in turn?" in body(answer)


def test_another_row_can_be_added_without_a_script(page, application):
    url = address(application, "section", "corridors")

    answer = page.post(url, sent("corridors") | {"more": "co_rows"})

    assert 'name="co_rows.1.from"' in body(answer)
    assert answers.answer_set(application).values["co_rows"]


def test_a_change_from_the_check_page_comes_back_to_it(client):
    application = factories.an_application("answered")
    page = factories.signed_in(client, factories.owner_of(application.business))
    check = body(page.get(address(application, "check")))
    assert f"{address(application, 'section', 'settlement')}?back=check#q-se_model" in check

    answer = page.post(
        address(application, "section", "settlement"),
        sent("settlement", revision=1, se_model="weekly") | {"back": "check"},
    )

    assert answer["Location"] == address(application, "check")


def test_it_is_checked_declared_and_submitted(client):
    application = factories.an_application("answered")
    page = factories.signed_in(client, factories.owner_of(application.business))
    assert "Kettle &amp; Kiosk Ltd" in body(page.get(address(application, "check")))

    undeclared = page.post(address(application, "submit"))
    page.post(address(application, "submit"), {"declared": "on"})

    assert "Tick the box" in body(undeclared)
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED
    assert "Kettle &amp; Kiosk Ltd" in body(page.get(address(application, "submitted")))


def test_nobody_declares_answers_that_they_have_not_seen(client):
    application = factories.an_application("answered")
    page = factories.signed_in(client, factories.owner_of(application.business))
    check = page.get(address(application, "check")).text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', check)
    old = {"declared": "on", "seen": seen}
    changed = sent("products", revision=9, pr_tech_email="ada@example.com")
    page.post(address(application, "section", "products"), changed)

    refused = page.post(address(application, "submit"), old)
    assert refused.status_code == 409
    assert "Somebody changed an answer" in refused.text
    assert factories.fresh(application).status == ApplicationStatus.DRAFT


def test_submitting_too_early_says_what_is_missing(page, application):
    answer = page.post(address(application, "submit"), {"declared": "on"})

    assert answer.status_code == 422
    assert "Country of incorporation" in body(answer)


def test_what_no_longer_applies_is_named_before_it_is_left_out(client):
    application = factories.an_application(
        "answered", ff_client_money="yes", ff_safeguarding="x" * 50
    )
    factories.filled(application)
    page = factories.signed_in(client, factories.owner_of(application.business))

    assert "These answers no longer apply" in body(page.get(address(application, "check")))


@pytest.mark.parametrize("at", [s for s in ApplicationStatus if s != ApplicationStatus.EXPIRED])
def test_the_overview_tells_where_it_stands(client, at):
    application = factories.an_application(at)
    page = factories.signed_in(client, factories.owner_of(application.business))

    assert page.get(address(application)).status_code == 200


def test_a_hold_and_its_reason_are_never_told(client):
    application = factories.an_application(ApplicationStatus.HELD)
    page = factories.signed_in(client, factories.owner_of(application.business))

    text = body(page.get(address(application)))

    main = re.sub(r'value="\w{64}"', "", text.split("<main")[1].split("</main")[0])  # random tokens
    assert "hold" not in main.lower()
    assert "look at the owners" not in text


def test_it_can_be_withdrawn_after_asking_once_more(page, application):
    assert "Withdraw the application of" in body(page.get(address(application, "withdraw")))

    page.post(address(application, "withdraw"))

    assert factories.fresh(application).status == ApplicationStatus.WITHDRAWN
