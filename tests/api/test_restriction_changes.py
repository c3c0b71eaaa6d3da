"""Changing the restricted list: two people of compliance, a preview, and effect at once."""

import re
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client as Browser
from django.urls import reverse

from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.publishing.models import Publication
from onboarding.intake import answers
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ApplicationStatus
from onboarding.restrictions import refusing
from onboarding.restrictions.list_versions import VERSIONS
from onboarding.restrictions.models import RestrictedListVersion
from tests import factories
from tests.api.asking import BY_NAME, EXAMPLES, Client, a_client
from tests.onboarding.intake.forms_over_http import Form

LIST, PROPOSED = reverse("restrictions:entries"), reverse("restrictions:proposed")
CHANGE = reverse("restrictions:change")
GHANA = {
    "code": "gh",
    "name": "Ghana",
    "scopes": ["residence", "address", "corridor", "bank", "incorporation", "operating"],
    "basis": "A rule of our own",
    "since": "2026-01-01",
    "reason": "The board decided it.",
}


@pytest.fixture
def one(client):
    return factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))


@pytest.fixture
def other():
    return factories.signed_in(Browser(), factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))


def body(answer):
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode()))


def decide(staff, what="put_in_use"):
    row = Publication.objects.get(kind="restricted_list", in_use_from=None, withdrawn_at=None)
    return staff.post(reverse(f"publishing:{what}", args=[row.public_id]))


def begun(staff, code):
    """Return the form for an entry as a browser shows it."""
    form = Form(staff.get(f"{CHANGE}?code={code}").content.decode())
    return {name: form.named(name) for name, _ in form.fields} | {"also": form.named("also")[0]}


def ask(api_client, name, **changes):
    row = BY_NAME[name]
    return api_client.ask(row, row.path, api_client.body_of(row) | changes)


def in_ghana(api_client):
    """Make a customer, a cardholder and a beneficiary in Ghana, and return their ids."""
    address = EXAMPLES["cardholders.create"]["address"] | {"country": "GH"}
    there = {"country": "GH", "address": address}
    made = [
        ask(api_client, "customers.create", **there),
        ask(api_client, "cardholders.create", **there),
        ask(api_client, "beneficiaries.create"),  # the example's is in Ghana
    ]
    return [reply.json["id"] for reply in made]


def test_an_entry_takes_two_people_and_holds_from_the_next_request(one, other, api):
    api_client = Client(api, a_client())
    ids = in_ghana(api_client)
    open_case = factories.an_application(
        ApplicationStatus.SUBMITTED, li_operating_countries=["GB", "GH"]
    )
    factories.an_application(ApplicationStatus.EXECUTED, li_operating_countries=["GH"])

    assert one.post(CHANGE, GHANA)["Location"] == PROPOSED
    assert ask(api_client, "customers.create", country="GH").status == 201
    shown = body(other.get(PROPOSED))
    assert "The board decided it." in shown
    assert shown.count("1 becomes restricted") == 4
    assert shown.count("2 become restricted") == 1  # customers
    assert all(public_id in shown for public_id in ids)
    assert open_case.case_url in other.get(PROPOSED).content.decode()

    assert decide(one).status_code == 403
    assert decide(other)["Location"] == LIST

    assert ask(api_client, "customers.create", country="GH").code == "COMPLIANCE_BLOCKED"
    draft = factories.an_application()
    page = answers.save_section(
        draft, "legal_identity", {"li_country_incorporation": "GH"},
        page=OpenPage(0), by=factories.owner_of(draft.business),
    )  # fmt: skip
    assert page.is_blocked
    listed = body(one.get(LIST))
    assert "Ghana GH" in listed
    assert "Added: GH The board decided it." in listed
    codes = [entry.code for entry in Entry.objects.all()]
    assert codes.count("restriction.entered") == 1
    assert {"publication.proposed", "publication.put_in_use"} <= set(codes)


def test_an_entry_is_changed_and_ended(one, other, api):
    factories.restricted("GH", "Ghana")
    api_client = Client(api, a_client())
    ended = begun(one, "GH&end=1") | {"reason": "It ended."}
    assert (ended["since"], ended["until"]) == (["2026-01-01"], [f"{clock.now():%Y-%m-%d}"])

    assert one.post(f"{CHANGE}?code=GH", ended).status_code == 302
    assert "Ended" in body(other.get(PROPOSED))
    decide(other)

    assert ask(api_client, "customers.create", country="GH").status == 201
    assert "Ended: GH It ended." in body(one.get(LIST))
    assert "GH" not in refusing.current().countries(on=clock.now().date())


def test_a_release_is_previewed(one, other, api):
    api_client = Client(api, a_client())
    in_ghana(api_client)
    factories.restricted("GH", "Ghana")
    yesterday = (clock.now() - timedelta(days=1)).date().isoformat()
    entry = factories.an_entry("GH", "Ghana", until=yesterday)

    factories.restriction_proposed(entry)

    assert body(other.get(PROPOSED)).count("1 is no longer restricted") == 3


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"code": "XX"}, "Enter a code such as KP or UA-43."),
        ({"code": "GHANA"}, "Enter a code such as KP or UA-43."),
        ({"scopes": []}, "Choose what is restricted"),
        ({"since": "2026-02-30"}, "Enter a valid date."),
        ({"until": "2025-01-01"}, "GH ends before it begins."),
        ({"under": "XX: Accra"}, "XX is not a country code."),
        ({"code": "KP", "until": "2030-01-01"}, "does not hold KP."),
        ({"reason": " "}, "Say why, in a sentence."),
    ],
)
def test_a_mistake_is_named_and_nothing_is_proposed(one, changes, says):
    answer = one.post(CHANGE, GHANA | changes)

    assert answer.status_code == 422
    assert says in body(answer)
    assert not RestrictedListVersion.objects.exists()


def test_a_region_keeps_what_identifies_it(one, other):
    said = begun(one, "UA-14") | {"reason": "A town."}
    assert "Nothing is different" in body(one.post(f"{CHANGE}?code=UA-14", said))

    one.post(f"{CHANGE}?code=UA-14", said | {"also": f"{said['also']}\nVolnovakha"})
    decide(other)

    before, after = (
        next(entry for entry in found.entries if entry.code == "UA-14")
        for found in (VERSIONS.load("2026-11-01"), refusing.current())
    )
    assert after.also == (*before.also, "Volnovakha")
    assert (after.postcodes, after.under) == (before.postcodes, before.under)


def test_one_change_waits_at_a_time_and_is_withdrawn(one, other):
    one.post(CHANGE, GHANA)
    assert "Somebody" not in body(one.post(CHANGE, GHANA | {"code": "TG", "name": "Togo"}))
    assert RestrictedListVersion.objects.count() == 1

    assert decide(one, "withdraw")["Location"] == LIST
    assert one.get(PROPOSED)["Location"] == LIST
    assert "Withdrawn" in body(one.get(LIST))
    assert one.post(CHANGE, GHANA).status_code == 302


def test_an_earlier_list_is_proposed_again_as_a_whole(one, other):
    factories.restricted("GH", "Ghana")
    factories.an_application(ApplicationStatus.EXECUTED, li_operating_countries=["GB"])
    factories.proposed(VERSIONS, "2026-11-01")

    assert "The earlier list 2026-11-01 as a whole" in body(other.get(PROPOSED))
    decide(other)
    assert refusing.current().version == "2026-11-01"


@pytest.mark.parametrize("role", [Role.COMMERCIAL, Role.AUDITOR])
def test_others_on_staff_read_the_list(client, role):
    factories.restriction_proposed(factories.an_entry("GH", "Ghana"))
    staff = factories.signed_in(client, factories.one_of_staff(role))

    assert "North Korea" in body(staff.get(LIST))
    assert "Approve" not in body(staff.get(PROPOSED))
    assert staff.get(CHANGE).status_code == 403
    assert decide(staff).status_code == 403


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE publishing_publication SET put_in_use_by_id = proposed_by_id, in_use_from = now() "
        "WHERE kind = 'restricted_list' AND proposed_by_id IS NOT NULL",
        "UPDATE publishing_publication SET in_use_from = now() "
        "WHERE kind = 'restricted_list' AND proposed_by_id IS NOT NULL",
        "UPDATE restrictions_restrictedlistversion SET document = '{}'",
        "DELETE FROM restrictions_restrictedlistversion",
    ],
)
def test_the_database_refuses_one_person_and_another_content(statement):
    factories.restriction_proposed(factories.an_entry("GH", "Ghana"))

    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
