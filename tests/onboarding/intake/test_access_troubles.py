"""Obstacles on the questionnaire's pages: restrictions, conflicts, invalid input, strangers."""

import re

import pytest
from django.test import Client

from console.accounts.roles import Role
from onboarding.intake import answers
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Answer
from tests import factories
from tests.onboarding import answered
from tests.onboarding.intake.sending import address, body, sent


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("legal_identity", {"li_country_incorporation": "KP"}),
        ("legal_identity", {"li_operating_countries": ["GB", "IR"]}),
        (
            "legal_identity",
            {"li_registered_address": {"line1": "1", "city": "Sevastopol", "country": "UA"}},
        ),
        ("ownership", answered.owned_by(("A", "100"), country="KP")),
        ("corridors", {"co_rows": [{"from": "GB", "to": "IR", "currency": "GBP", "share": "?"}]}),
    ],
)
def test_a_restricted_country_is_refused_at_once(page, application, section, change):
    answer = page.post(address(application, "section", section), sent(section, **change))

    text = body(answer)
    assert answer.status_code == 403
    assert "COMPLIANCE_BLOCKED" in text
    assert "change the answer" in text
    kept = answers.answer_set(application)
    assert not set(change) & set(kept.rows)
    (here,) = [one for one in kept.edition.sections if one.key == section]
    others = {q.key for q in here.questions} & set(answered.KIOSK)
    assert set(kept.values) == others - set(change)


def test_a_street_named_after_a_restricted_region_is_not_refused(page, application):
    kyiv = {"line1": "Donetska", "city": "Kyiv", "postal_code": "03151", "country": "UA"}
    typed = sent("legal_identity", li_registered_address=kyiv)

    page.post(address(application, "section", "legal_identity"), typed)

    assert answers.answer_set(application).values["li_registered_address"] == kyiv


def test_a_stale_page_shows_both_answers_and_loses_neither(page, application):
    url = address(application, "section", "settlement")
    page.post(url, sent("settlement"))

    answer = page.post(url, sent("settlement", se_model="weekly"))

    text = body(answer)
    assert answer.status_code == 409
    assert "saved “The next working day”" in text
    assert 'value="weekly" checked' in text
    assert answers.answer_set(application).values["se_model"] == "t1"
    again = page.post(url, sent("settlement", se_model="weekly", revision=1))
    assert again.status_code == 302
    assert answers.answer_set(application).values["se_model"] == "weekly"


def test_a_summary_names_the_row_and_the_column(page, application):
    rows = [{"from": "GB", "to": "GB", "currency": "GBP", "share": share} for share in ("1", "150")]

    text = body(
        page.post(address(application, "section", "corridors"), sent("corridors", co_rows=rows))
    )

    where = "Your corridors, row 2, Share in %"
    assert f'#q-co_rows-1-share">{where}: Enter a number between 0 and 100.</a>' in text
    assert "need correcting" in text


def test_nothing_is_called_kept_where_nothing_was_typed(page, application):
    text = body(page.get(address(application, "section", "funds_flow") + "?check=1"))

    assert "Nothing in this section" in text
    assert "need correcting" not in text


def test_a_fault_that_both_answers_have_is_told_once(page, application):
    url = address(application, "section", "funds_flow")
    page.post(url, sent("funds_flow", ff_steps="Too short."))

    text = body(page.post(url, sent("funds_flow", ff_steps="Short.")))

    assert "someone else answered these questions first" in text
    assert text.count("Use at least 40 characters") == 2  # in the summary and at the field


def test_garbage_never_breaks_the_page(page, application):
    for garbage in [
        {},
        {"asked": "nothing"},
        {"asked": ["co_rows"], "co_rows.999.from": "\x00", "co_rows.-1.to": "x"},
        {"asked": ["co_rows"], "co_rows.0.from": "x" * 100_000},
        {"asked": ["co_purpose"], "co_purpose": ["none", "\ud7ff", "'; DROP TABLE"]},
        {"asked": ["co_rows"], **{f"co_rows.{n}.share": "1" for n in range(400)}},
        {"revision": "١٢", "asked": ["co_controls"], "co_controls": "none"},
        {"revision": "-5", "asked": ["co_controls"], "more": "co_controls"},
    ]:
        url = address(application, "section", "corridors")

        assert page.post(url, garbage).status_code < 500
        assert page.get(url).status_code == 200


def test_a_submitted_application_cannot_be_typed_in(client):
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    page = factories.signed_in(client, factories.owner_of(application.business))
    before = Answer.objects.count()

    section, check = (address(application, "section", "settlement"), address(application, "check"))

    answer = page.post(section, sent("settlement", se_model="weekly"))

    assert answer.status_code == 409
    assert "someone submitted the answers" in answer.text
    assert Answer.objects.count() == before
    for path in (section, check):
        assert page.get(path).headers["Location"] == address(application, "access")


def test_someone_who_may_only_look_sees_the_answers_and_no_button(client):
    application = factories.an_application("answered")
    viewer = factories.a_member(application.business, Role.VIEWER)
    page = factories.signed_in(client, viewer)
    url = address(application, "section", "settlement")

    assert "can read the answers" in body(page.get(url))
    assert page.post(url, sent("settlement", revision=1)).status_code == 403


def test_a_section_that_does_not_exist_is_not_found(page, application):
    assert page.get(address(application, "section", "nonsense")).status_code == 404


def test_typing_is_kept_as_you_go(page, application):
    url = address(application, "autosave", "settlement")

    first = page.post(url, sent("settlement"))
    stale = page.post(url, sent("settlement", se_model="weekly"))
    blocked = page.post(url, sent("settlement", revision=1, se_bank_country="KP"))

    assert first.json()["unsaved"] == []
    assert first.json()["message"].startswith("Saved ")
    assert stale.status_code == 409
    assert stale.json()["unsaved"] == ["se_model"]
    assert stale.json()["message"].startswith("Not saved. You changed “When should we settle?”")
    assert "COMPLIANCE_BLOCKED" in blocked.json()["message"]


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("volumes", {"vo_m12_value": "18.000"}),
        ("ownership", {"ow_signatory_email": "jlópez@example.com"}),
        ("ownership", answered.owned_by(("A", "33.33333"), ("B", "66"))),
    ],
)
def test_an_answer_that_will_be_refused_is_saved_as_you_go_and_told(
    page, application, section, change
):
    url = address(application, "autosave", section)
    good = page.post(url, sent(section)).json()
    wrong = page.post(url, sent(section, revision=1, **change)).json()

    assert "correcting" not in good["message"]
    assert wrong["unsaved"] == []
    assert re.fullmatch(r"Saved \d\d:\d\d UTC. Some answers need correcting.", wrong["message"])


def test_typing_on_after_the_answers_were_submitted_is_told_in_words(client):
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    page = factories.signed_in(client, factories.owner_of(application.business))

    answer = page.post(address(application, "autosave", "settlement"), sent("settlement"))

    assert answer.status_code == 409
    assert "submitted the answers" in answer.json()["message"]
    assert "se_model" in answer.json()["unsaved"]


def test_a_form_from_elsewhere_is_not_given_back(application):
    page = factories.signed_in(
        Client(enforce_csrf_checks=True), factories.owner_of(application.business)
    )
    url = address(application, "section", "settlement")
    ours, theirs = {"Origin": "http://testserver"}, {"Origin": "https://evil.example"}

    assert "What you typed is still here" in body(page.post(url, sent("settlement"), headers=ours))
    for headers in (theirs, {}):
        answer = page.post(url, sent("settlement"), headers=headers)
        assert answer.status_code == 403
        assert "What you typed" not in body(answer)
        assert 'name="se_model"' not in body(answer)


def test_what_is_typed_is_shown_as_text_and_never_as_page(page, application):
    payload = '"><img src=x onerror=alert(1)>' + "x" * 30
    page.post(address(application, "section", "products"), sent("products", pr_use=payload))
    page.post(
        address(application, "section", "corridors"),
        sent("corridors", co_rows=[{"from": payload, "to": payload, "share": payload}]),
    )

    for name, *rest in [("section", "products"), ("section", "corridors"), ("check",)]:
        text = page.get(address(application, name, *rest)).content.decode()
        assert "<img src=x" not in text
