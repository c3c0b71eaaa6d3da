"""The page on which an applicant says who owns, runs and controls the business."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.demo.businesses import owner
from onboarding.intake import answers as answering
from onboarding.models import Application
from tests import factories
from tests.onboarding import answered
from tests.onboarding.intake.forms_over_http import Form
from tests.onboarding.intake.sending import address, body, sent

KEY = answered.OWNERS
ANA = owner("Ana Reyes", "100", director="yes")
NORTHGATE = owner("Northgate Holdings (BVI) Limited", "100", country="VG", born="2001-01-01")


@pytest.fixture
def application(db: None) -> Application:
    return factories.an_application()


@pytest.fixture
def page(client: Client, application: Application) -> Client:
    factories.signed_in(client, factories.owner_of(application.business))
    return client


def send(page: Client, application: Application, rows: list[dict[str, str]], **pressed: str) -> Any:
    at = address(application, "section", "ownership")
    revision = factories.fresh(application).revision_of("ownership")
    changes: dict[str, Any] = {KEY: rows}
    return page.post(at, sent("ownership", revision=revision, **changes) | pressed)


def kept(application: Application) -> Any:
    return answering.answer_set(factories.fresh(application)).values.get(KEY)


def shown(response: Any) -> dict[str, str]:
    return {
        name.removeprefix(f"{KEY}."): value
        for name, value in Form(response.content.decode()).fields
        if name.startswith(f"{KEY}.")
    }


def test_one_person_who_owns_everything_is_one_row(page, application):
    response = send(page, application, [ANA])

    assert response.status_code == 302
    assert kept(application) == {
        "parties": [
            {
                "id": "p1", "kind": "person", "name": "Ana Reyes", "country": "GB",
                "born": "1984-05-02",
            }
        ],
        "holdings": [
            {"owner": "p1", "owned": "business", "interest": "shareholding", "share": "100"}
        ],
        "roles": [{"party": "p1", "role": "director", "of": "business"}],
    }  # fmt: skip


def test_a_company_named_as_a_person_is_refused_at_its_name(page, application):
    response = send(page, application, [NORTHGATE])
    text = unescape(body(response))

    assert response.status_code == 422
    assert kept(application) is None
    assert f'href="#q-{KEY}-0-name"' in text
    assert "“holdings” in this name looks like an organisation. Choose below what it is." in text
    assert shown(response)["0.name"] == NORTHGATE["name"]
    assert shown(response)["0.born"] == "2001-01-01"


def test_a_person_with_such_a_name_is_confirmed_once(page, application):
    church = ANA | {"name": "Charlotte Church"}
    assert send(page, application, [church]).status_code == 422

    assert send(page, application, [church | {"human": "yes"}]).status_code == 302
    again = page.get(address(application, "section", "ownership"))
    assert shown(again)["0.human"] == "yes"
    assert kept(application)["parties"][0]["human"] is True


def test_several_people_in_one_field_are_refused_unless_they_are_one(page, application):
    both = ANA | {"name": "Ana Reyes and Bo Reyes"}
    response = send(page, application, [both])

    assert response.status_code == 422
    assert "These look like several people. Add each of them on their own." in body(response)
    assert send(page, application, [both | {"human": "yes"}]).status_code == 302


def test_a_company_is_asked_for_its_owners_until_people_are_reached(page, application):
    entity = NORTHGATE | {"kind": "entity"}
    response = send(page, application, [entity])
    text = unescape(body(page.get(response["Location"])))

    assert "check=1" in response["Location"]
    assert "born" not in kept(application)["parties"][0]
    assert "Add who owns Northgate Holdings (BVI) Limited, or say why you cannot" in text
    assert "Tick who is a director of the business." in text

    # The page has the fields for its first owner.
    found = shown(page.get(address(application, "section", "ownership")))
    assert (found["1.id"], found["1.holds.0.owned"]) == ("p2", "p1")
    person = ANA | {"id": "p2", "holds.0.owned": "p1"}
    response = send(page, application, [entity | {"id": "p1"}, person])
    assert "check=1" not in response["Location"]


def test_a_trust_is_asked_for_its_people(page, application):
    trust = owner("The Reyes Family Trust", "100", kind="arrangement")
    response = send(page, application, [trust])
    text = unescape(body(page.get(response["Location"])))

    assert "Add the settlor or founder of The Reyes Family Trust." in text
    assert "Add a trustee or board member of The Reyes Family Trust." in text
    found = shown(page.get(address(application, "section", "ownership")))
    assert (found["1.acts.0.role"], found["1.acts.0.of"]) == ("settlor", "p1")
    assert (found["2.acts.0.role"], found["2.acts.0.of"]) == ("trustee", "p1")


def test_parties_are_added_and_removed_without_scripts(page, application):
    both = [ANA | {"holds.0.share": "60"}, owner("Ben Ito", "40")]
    response = send(page, application, [*both], more=KEY)
    assert (shown(response)["2.name"], shown(response)["2.id"]) == ("", "p3")

    response = send(page, application, [*both], remove=f"{KEY}.p2")
    assert "Ben Ito" not in shown(response).values()
    assert [party["name"] for party in kept(application)["parties"]] == ["Ana Reyes"]


def test_a_script_that_saved_before_sends_no_parties_when_one_is_removed(page, application):
    send(page, application, [ANA | {"holds.0.share": "60"}, owner("Ben Ito", "40")])
    revision = factories.fresh(application).revision_of("ownership")
    at = address(application, "section", "ownership")

    page.post(at, {"revision": revision, "shown": [KEY], "remove": f"{KEY}.p2"})

    assert [party["name"] for party in kept(application)["parties"]] == ["Ana Reyes"]


def test_more_holdings_are_added_to_a_party(page, application):
    response = send(page, application, [ANA | {"id": "p1"}], more=f"{KEY}.p1")

    assert shown(response)["0.holds.1.share"] == ""
    assert re.search("<details[^>]* open>", body(response))


def test_a_restricted_country_is_refused(page, application):
    response = send(page, application, [ANA | {"country": "KP"}])

    assert response.status_code == 403
    assert f'href="#q-{KEY}-0-country"' in body(response)
    assert kept(application) is None


def test_an_untouched_form_changes_nothing(page, application):
    rows = [
        ANA | {"holds.0.share": "60", "id": "p1"},
        NORTHGATE | {"kind": "entity", "holds.0.share": "20-30", "end": "unknown", "id": "p2"},
    ]
    send(page, application, rows)
    before = factories.fresh(application).revision_of("ownership")
    form = Form(page.get(address(application, "section", "ownership")).content.decode())
    data: dict[str, list[str]] = {}
    for name, value in form.fields:
        data.setdefault(name, []).append(value)

    page.post(address(application, "section", "ownership"), data)

    assert factories.fresh(application).revision_of("ownership") == before


def test_each_owner_reads_what_they_own_in_a_sentence(page, application):
    holding = owner("Moss Ltd", "60", kind="entity", id="p1")
    dia = ANA | {"name": "Dia Moss", "id": "p2", "holds.0.owned": "p1", "holds.0.share": "50"}
    send(page, application, [holding, dia | {"holds.1.owned": "business", "holds.1.share": "5"}])
    sentence = "Dia Moss holds 35 %: 30 % through Moss Ltd (50 % × 60 %) and 5 % directly."

    assert sentence in unescape(body(page.get(address(application, "section", "ownership"))))
    assert sentence in unescape(body(page.get(address(application, "check"))))


def test_two_hundred_parties_are_saved_and_shown_in_as_many_queries_as_one(page, application):
    at = address(application, "section", "ownership")
    send(page, application, [ANA])
    with CaptureQueriesContext(connection) as few:
        page.get(at)
    rows = [owner(f"Owner {n}", "0.5", director="yes") for n in range(200)]
    with CaptureQueriesContext(connection) as saving:
        assert send(page, application, rows).status_code == 302
    with CaptureQueriesContext(connection) as many:
        assert len(kept(application)["parties"]) == 200
        assert len(shown(page.get(at))) > 2000

    assert len(many) <= len(few) + 3
    assert len(saving) < 40
