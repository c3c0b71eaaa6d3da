"""The owners of a business on its case page, and files of them."""

import json

from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.audit.models import Entry
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from onboarding.ownership.structure import structure_of
from onboarding.review import ownership_panel
from tests import factories
from tests.onboarding import answered
from tests.onboarding.ownership import examples


def reviewer() -> Client:
    return factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE))


def test_the_case_page_says_who_owns_the_business_and_draws_it():
    application = factories.a_reviewed_application()

    page = reviewer().get(f"{application.case_url}?show=score").text

    assert "Mara Ellwood holds 60 % directly. Mara Ellwood controls" in page
    assert page.count("Beneficial owner") == 2
    assert "<text" in page
    assert "Ifan Rhys, 40 %</text>" in page


def test_it_says_what_follows_if_an_owner_is_listed():
    application = factories.a_reviewed_application(**answered.SUSPECT)

    page = reviewer().get(f"{application.case_url}?show=score").text

    assert "By the rule of OFAC, the business is blocked if a match is confirmed" in page
    assert "Blocked parties own 60 % in total." in page


def test_a_confirmed_match_blocks_by_the_cascade():
    structure = examples.structure("X 50 A; A 50 App; Ana 50 App")
    one = next(ownership_panel._cascades(structure, {"X": CheckStatus.FAILED}))

    assert (one.tone, "the business is blocked" in one.title) == ("danger", True)


def test_files_of_the_owners_are_for_staff_and_logged():
    application = factories.a_reviewed_application()
    client = reviewer()
    urls = [
        reverse("onboarding:owners_file", args=[application.public_id, kind])
        for kind in ("bods", "ftm", "csv")
    ]
    bods, ftm, unknown = (client.get(url) for url in urls)

    structure = structure_of(application.submission.answers)
    parts = (*structure.parties, *structure.holdings, *structure.roles)
    assert len(json.loads(bods.content)) == 1 + len(parts)
    assert json.loads(ftm.content.splitlines()[0])["schema"] == "Company"
    assert unknown.status_code == 404
    assert "attachment" in bods["Content-Disposition"]
    assert Entry.objects.filter(code="application.owners_downloaded").count() == 2


def test_owners_take_no_query(django_assert_num_queries):
    application = factories.a_reviewed_application()
    checks = list(Check.objects.filter(application=application))
    assert application.submission

    with django_assert_num_queries(0):
        found = ownership_panel.owners(application, checks)

    assert [row.check.subject for row in found["shown"].rows] == ["owner.0", "owner.1"]
