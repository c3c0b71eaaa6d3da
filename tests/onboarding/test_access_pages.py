"""The pages on which a business answers, with nothing but forms."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from onboarding import answers
from onboarding.lifecycle import Status
from onboarding.models import Answer, Application
from onboarding.questionnaire import loading
from onboarding.questionnaire.kinds import ADDRESS_PARTS
from tests import given
from tests.onboarding import answered


@pytest.fixture
def application() -> Application:
    return given.an_application()


@pytest.fixture
def page(client: Client, application: Application) -> Any:
    return given.signed_in(client, given.owner_of(application.business))


def address(application: Application, name: str = "access", *args: str) -> str:
    return reverse(f"onboarding:{name}", args=[application.business.public_id, *args])


def sent(section: str, *, revision: int = 0, **changes: Any) -> dict[str, Any]:
    """A section as its form sends it."""
    typed = answered.answers(**changes)
    questions = [q for q in loading.current().section(section).questions if q.key in typed]  # type: ignore[union-attr]
    body: dict[str, Any] = {"revision": revision, "asked": [q.key for q in questions]}
    for question in questions:
        body |= flat(question.key, typed[question.key])
    return body


def flat(key: str, typed: Any) -> dict[str, Any]:
    if isinstance(typed, dict):
        return {f"{key}.{part}": typed.get(part, "") for part in ADDRESS_PARTS}
    if isinstance(typed, list) and typed and isinstance(typed[0], dict):
        return {f"{key}.{n}.{c}": v for n, row in enumerate(typed) for c, v in row.items()}
    return {key: typed}


def body(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def test_it_offers_to_start(client):
    business = given.a_business()
    client = given.signed_in(client, given.owner_of(business))

    answer = client.post(reverse("onboarding:start", args=[business.public_id]))

    assert answer.status_code == 302
    assert "0 of 12 sections completed" in body(client.get(answer["Location"]))


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


@pytest.mark.parametrize("section", loading.current().sections, ids=lambda s: s.key)
def test_every_section_opens_and_keeps_its_answers(page, application, section):
    url = address(application, "section", section.key)
    assert page.get(url).status_code == 200

    answer = page.post(url, sent(section.key))

    assert answer.status_code == 302, body(answer)
    kept = answers.of(application).values
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
    assert "Payments each month: Enter a whole number, like 1200." in text
    assert 'value="plenty"' in text
    assert answers.of(application).values["vo_currency"] == "GBP"
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

    assert "brought up more questions" in body(answer)
    assert "May they act for other businesses in turn?" in body(answer)


def test_another_row_can_be_added_without_a_script(page, application):
    url = address(application, "section", "corridors")

    answer = page.post(url, sent("corridors") | {"more": "co_rows"})

    assert 'name="co_rows.1.from"' in body(answer)
    assert answers.of(application).values["co_rows"]


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("legal_identity", {"li_country_incorporation": "KP"}),
        ("legal_identity", {"li_operating_countries": ["GB", "IR"]}),
        (
            "legal_identity",
            {"li_registered_address": {"line1": "1", "city": "Havana", "country": "CU"}},
        ),
        (
            "legal_identity",
            {"li_registered_address": {"line1": "1", "city": "Sevastopol", "country": "UA"}},
        ),
        (
            "ownership",
            {"ow_owners": [{"name": "A", "share": "100", "country": "KP", "born": "1980-01-01"}]},
        ),
        ("corridors", {"co_rows": [{"from": "GB", "to": "IR", "currency": "GBP", "share": "?"}]}),
        ("settlement", {"se_bank_country": "KP"}),
        ("data_handling", {"dh_locations": ["CU"]}),
    ],
)
def test_a_restricted_country_is_refused_at_once(page, application, section, change):
    answer = page.post(address(application, "section", section), sent(section, **change))

    text = body(answer)
    assert answer.status_code == 403
    assert "COMPLIANCE_BLOCKED" in text
    assert "If it was a slip, change the answer" in text
    kept = answers.of(application)
    assert not set(change) & set(kept.rows)
    others = {k for k in answered.KIOSK if kept.edition.section_of[k].key == section}
    assert set(kept.values) == others - set(change)


def test_a_stale_page_shows_both_answers_and_loses_neither(page, application):
    url = address(application, "section", "settlement")
    page.post(url, sent("settlement"))

    answer = page.post(url, sent("settlement", se_model="weekly"))

    text = body(answer)
    assert answer.status_code == 409
    assert "saved “The next working day”" in text
    assert 'value="weekly" checked' in text
    assert answers.of(application).values["se_model"] == "t1"
    again = page.post(url, sent("settlement", se_model="weekly", revision=1))
    assert again.status_code == 302
    assert answers.of(application).values["se_model"] == "weekly"


@pytest.mark.parametrize(
    "garbage",
    [
        {},
        {"asked": "nothing"},
        {"asked": ["co_rows"], "co_rows.999.from": "\x00", "co_rows.-1.to": "x"},
        {"asked": ["co_rows"], "co_rows.0.from": "x" * 100_000},
        {"asked": ["co_purpose"], "co_purpose": ["none", "\ud7ff", "'; DROP TABLE"]},
        {"asked": ["co_rows"], **{f"co_rows.{n}.share": "1" for n in range(400)}},
        {"revision": "١٢", "asked": ["co_controls"], "co_controls": "none"},
        {"revision": "-5", "asked": ["co_controls"], "more": "co_controls"},
    ],
)
def test_garbage_never_breaks_the_page(page, application, garbage):
    url = address(application, "section", "corridors")

    assert page.post(url, garbage).status_code < 500
    assert page.get(url).status_code == 200


def test_a_change_from_the_check_page_comes_back_to_it(client):
    application = given.an_application("answered")
    page = given.signed_in(client, given.owner_of(application.business))
    check = body(page.get(address(application, "check")))
    assert f"{address(application, 'section', 'settlement')}?back=check#q-se_model" in check

    answer = page.post(
        address(application, "section", "settlement"),
        sent("settlement", revision=1, se_model="weekly") | {"back": "check"},
    )

    assert answer["Location"] == address(application, "check")


def test_it_is_checked_declared_and_submitted(client):
    application = given.an_application("answered")
    page = given.signed_in(client, given.owner_of(application.business))
    assert "Kettle &amp; Kiosk Ltd" in body(page.get(address(application, "check")))

    undeclared = page.post(address(application, "submit"))
    submitted = page.post(address(application, "submit"), {"declared": "on"}, follow=True)

    assert "Tick the box to say that the answers are true." in body(undeclared)
    assert "We are reviewing your answers" in body(submitted)
    assert given.fresh(application).status == Status.SUBMITTED
    assert "Kettle &amp; Kiosk Ltd" in body(page.get(address(application, "submitted")))


def test_submitting_too_early_says_what_is_missing(page, application):
    answer = page.post(address(application, "submit"), {"declared": "on"})

    assert answer.status_code == 422
    assert "Legal identity: Answer “Country of incorporation”." in body(answer)


def test_what_no_longer_applies_is_named_before_it_is_left_out(client):
    application = given.an_application("answered", ff_client_money="yes", ff_safeguarding="x" * 50)
    given.filled(application)
    page = given.signed_in(client, given.owner_of(application.business))

    assert "These answers no longer apply" in body(page.get(address(application, "check")))


def test_a_submitted_application_cannot_be_typed_in(client):
    application = given.an_application(Status.SUBMITTED)
    page = given.signed_in(client, given.owner_of(application.business))
    before = Answer.objects.count()

    page.post(address(application, "section", "settlement"), sent("settlement", se_model="weekly"))

    assert page.get(address(application, "section", "settlement")).status_code == 409
    assert Answer.objects.count() == before


@pytest.mark.parametrize("at", [s for s in Status if s != Status.EXPIRED])
def test_the_overview_tells_where_it_stands(client, at):
    application = given.an_application(at)
    page = given.signed_in(client, given.owner_of(application.business))

    assert page.get(address(application)).status_code == 200


def test_a_hold_and_its_reason_are_never_told(client):
    application = given.an_application(Status.HELD)
    page = given.signed_in(client, given.owner_of(application.business))

    text = body(page.get(address(application)))

    assert "We are reviewing your answers" in text
    assert "hold" not in text.lower().split("<main")[1].split("</main")[0]
    assert "look at the owners" not in text


def test_it_can_be_withdrawn_after_asking_once_more(page, application):
    assert "Withdraw the application of" in body(page.get(address(application, "withdraw")))

    page.post(address(application, "withdraw"))

    assert given.fresh(application).status == Status.WITHDRAWN


def test_someone_who_may_only_look_sees_the_answers_and_no_button(client):
    application = given.an_application("answered")
    viewer = given.a_member(application.business, Role.VIEWER)
    page = given.signed_in(client, viewer)
    url = address(application, "section", "settlement")

    assert "Your role can read the answers" in body(page.get(url))
    assert page.post(url, sent("settlement", revision=1)).status_code == 403


def test_another_business_finds_nothing(client):
    application = given.an_application("answered")
    stranger = given.owner_of(given.a_business())
    page = given.signed_in(client, stranger)

    for name, *rest in [("access",), ("section", "settlement"), ("check",), ("withdraw",)]:
        assert page.get(address(application, name, *rest)).status_code == 404


def test_a_section_that_does_not_exist_is_not_found(page, application):
    assert page.get(address(application, "section", "nonsense")).status_code == 404


def test_typing_is_kept_as_you_go(page, application):
    url = address(application, "autosave", "settlement")

    first = page.post(url, sent("settlement"))
    stale = page.post(url, sent("settlement", se_model="weekly"))
    blocked = page.post(url, sent("settlement", revision=1, se_bank_country="KP"))

    assert first.json()["revision"] == 1
    assert first.json()["saved"].startswith("Saved ")
    assert stale.status_code == 409
    assert "COMPLIANCE_BLOCKED" in blocked.json()["problems"][0]


def test_without_the_list_nothing_is_saved_and_it_says_so(page, application, monkeypatch, tmp_path):
    from onboarding.reference import restricted

    monkeypatch.setattr(restricted.in_force, "__kwdefaults__", {"folder": tmp_path})

    answer = page.post(address(application, "section", "settlement"), sent("settlement"))

    assert answer.status_code in (302, 409)
    assert not Answer.objects.exists()


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
