"""What earlier answers say is suggested, and a suggestion alone is no answer."""

import pytest

from onboarding.intake import answers, suggestions
from onboarding.intake.merging import OpenPage
from onboarding.models import Answer
from onboarding.questionnaire.loading import EDITIONS
from tests import factories
from tests.onboarding.intake.forms_over_http import Form
from tests.onboarding.intake.sending import address


def saved(application, section, revision=0, **typed):
    owner = factories.owner_of(application.business)
    answers.save_section(application, section, typed, page=OpenPage(revision), by=owner)


def suggested(application):
    given = answers.answer_set(application)
    owner = factories.owner_of(application.business)
    return suggestions.suggestions(given, application.business, owner)


def test_a_first_corridor_begins_in_the_country_of_incorporation(application):
    assert "co_rows" not in suggested(application)
    saved(application, "legal_identity", li_country_incorporation="GB")
    assert suggested(application)["co_rows"] == [{"from": "GB", "currency": "GBP"}]


@pytest.mark.parametrize("country", ["JP", "CI"])
def test_a_country_without_a_currency_of_ours_suggests_none(application, country):
    saved(application, "legal_identity", li_country_incorporation=country)
    assert suggested(application)["co_rows"] == [{"from": country}]


def test_every_suggested_currency_is_an_option_of_the_corridors():
    edition = EDITIONS.load(EDITIONS.versions()[-1])
    (column,) = [one for one in edition.by_key["co_rows"].columns if one.key == "currency"]
    known = {option.key for option in column.options}
    assert set(suggestions._CURRENCIES.values()) <= known


def test_a_corridor_that_nobody_touched_is_not_saved(application, page):
    saved(application, "legal_identity", li_country_incorporation="GB")
    at = address(application, "section", "corridors")
    form = Form(page.get(at).content.decode())
    fields: dict[str, list[str]] = {}
    for name, value in form.fields:
        fields.setdefault(name, []).append(value)
    assert (fields["co_rows.0.from"], fields["co_rows.0.currency"]) == (["GB"], ["GBP"])
    page.post(at, fields | {"later": "yes"})
    assert not Answer.objects.of(application).filter(question="co_rows").exists()

    row = {"co_rows.0.to": "FR", "co_rows.0.share": "100"}
    page.post(at, fields | row | {"later": "yes"})
    (answer,) = Answer.objects.of(application).newest().filter(question="co_rows")
    assert answer.value == [{"from": "GB", "to": "FR", "currency": "GBP", "share": "100"}]


def test_data_that_is_kept_at_home_does_not_leave(application):
    saved(application, "legal_identity", li_country_incorporation="GB")
    assert "dh_transfer" not in suggested(application)
    saved(application, "data_handling", dh_locations=["GB"])
    assert suggested(application)["dh_transfer"] == "same_jurisdiction"
    saved(application, "data_handling", revision=1, dh_locations=["GB", "FR"])
    assert "dh_transfer" not in suggested(application)
