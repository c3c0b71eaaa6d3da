"""The facts that a cleared application provides to the layers above and to the risk model."""

from datetime import date

import pytest

from agreements.document_templates import facts_check
from onboarding import application_facts
from onboarding.lifecycle import ApplicationStatus
from onboarding.questionnaire.document_facts import ApplicationFacts
from onboarding.reference.bands import BANDS, RATES
from onboarding.risk.risk_facts import Reference, Verified, facts_of
from tests import factories
from tests.onboarding.ownership import examples

REFERENCE = Reference(BANDS.newest(), RATES.newest(), date(2026, 11, 21))


@pytest.fixture
def application():
    return factories.an_application(ApplicationStatus.CLEARED)


def test_it_tells_them_in_the_form_of_the_contract(application):
    told = application_facts.submitted_facts(application)

    assert list(facts_check.problems(told, ApplicationFacts, "facts")) == []
    assert told["business"]["address"] == ["14 Quay Lane", "Bristol BS1 4XX", "United Kingdom"]
    assert told["volumes"]["monthly_value"] == "18000.00"
    assert told["settlement"] == {"model": "T+1", "currencies": ["GBP"]}
    assert told["corridors"][0]["share"] == "100.00"
    assert told["role"] == "own_use"
    wanted = application_facts.products(application.submission)
    assert wanted == ["balances", "webhooks", "customers", "refunds"]


def risk(application, **changes):
    answers = {**application.submission.answers, **changes}
    return facts_of(answers, Verified(), REFERENCE)


def test_the_model_reads_shares_and_ages_as_whole_numbers(application):
    read = risk(
        application,
        ow_structure_of_owners={
            "parties": [
                {"id": "p1", "kind": "person", "name": "A", "country": "NG", "born": "1980-01-01"}
            ],
            "holdings": [
                {"owner": "p1", "owned": "business", "interest": "shareholding", "share": "74.5"}
            ],
            "roles": [],
        },
        li_incorporation_date="2024-11-22",
        co_rows=[
            {"from": "GB", "to": "KE", "currency": "GBP", "share": "12.5"},
            {"from": "GB", "to": "GB", "currency": "GBP", "share": "87.5"},
        ],
    )

    assert read["untraced_bp"].value == 2550
    assert read["age_months"].value == 23
    assert read["band_owners"].value == 1
    assert (read["band_corridors"].value, read["corridor_share_bp"].value) == (2, 1250)
    assert read["corridor_share_bp"].observed == "United Kingdom to Kenya"


@pytest.mark.parametrize(
    ("aml", "regulated", "kind", "read"),
    [
        ("not_applicable", False, "none", "not_applicable"),
        ("absent", False, "none", "not_applicable"),
        ("not_applicable", True, "none", "absent"),
        ("untested", False, "sub_merchants", "untested"),
    ],
)
def test_a_programme_counts_where_one_is_needed(application, aml, regulated, kind, read):
    found = risk(application, lc_aml=aml, lc_regulated=regulated, dm_type=kind)

    assert found["aml"].value == read


def test_amounts_are_compared_in_euros(application):
    amount = {"minor": 10_000_000_000, "currency": "NGN"}

    assert risk(application, vo_m12_value=amount)["monthly_euro_cents"].value == 5_900_000


def test_the_model_reads_nothing_it_was_not_told(application):
    read = facts_of({}, Verified(), REFERENCE)

    assert read["band_incorporation"].value is None
    assert read["untraced_bp"].value is None
    assert read["pep"].value is None


def owned(application, holdings, **more):
    structure = examples.answer(holdings, **more)
    return risk(application, ow_structure_of_owners=structure, ow_bearer_shares=False)


def test_the_model_reads_the_structure_of_owners(application):
    read = owned(
        application, "T 60 H; Ana 25 H; H 80 App; Kim 10 App; Ben 5 App",
        kinds={"T": "arrangement"},
        roles="Ana settlor T; Kim trustee T; Nora nominee Ana",
        Kim={"country": "NG"}, Ben={"country": "KP"}, H={"country": "VG"},
    )  # fmt: skip
    facts = {key: fact.value for key, fact in read.items()}

    assert (facts["layers"], facts["untraced_bp"], facts["owner_found"]) == (2, 1700, "yes")
    assert facts["arrangements"] == ["trust", "nominee"]
    # Not where Ben lives, who owns less than a tenth.
    assert (facts["band_owners"], facts["ownership_loop"]) == (2, "no")


def test_the_model_reads_loops_and_unknown_owners(application):
    read = owned(application, "A 30 App; App 10 A; Ben 10 App")

    assert (read["ownership_loop"].value, read["owner_found"].value) == ("yes", "no")
    assert read["ownership_loop"].observed == "A and Kettle & Kiosk Ltd"
    assert read["untraced_bp"].value > 8000


def test_control_in_the_structure_counts_and_bearer_shares_are_asked(application):
    read = owned(application, "Ana 100 App; Kim - App appointmentOfBoard")

    assert (read["other_control"].value, read["arrangements"].value) == ("yes", ["none"])
    structure = examples.answer("Ana 100 App")
    unasked = risk(application, ow_structure_of_owners=structure, ow_bearer_shares=None)
    assert unasked["arrangements"].value is None
    bearer = risk(application, ow_structure_of_owners=structure, ow_bearer_shares=True)
    assert bearer["arrangements"].value == ["bearer"]
