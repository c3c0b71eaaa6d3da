"""Search finds only what the user may see."""

from django.urls import reverse

from console.accounts import staff
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.shell import search
from onboarding.lifecycle import ApplicationStatus
from tests import factories


def found(client, words):
    return client.get(reverse("shell:search"), {"q": words, "part": "1"}).text


def test_people_find_their_own_business_by_name_and_by_id(client):
    business = factories.a_business("Savanna Freight")
    factories.signed_in(client, factories.owner_of(business))

    assert "Savanna Freight" in found(client, "sav")
    assert "Savanna Freight" in found(client, business.public_id)


def test_people_do_not_find_the_business_of_others(client):
    other = factories.a_business("Savanna Freight")
    factories.signed_in(client, factories.owner_of(factories.a_business("Lagoon")))

    assert "Savanna" not in found(client, "sav")
    assert "Savanna" not in found(client, other.public_id)


def test_reviewers_find_a_submitted_application(client):
    business = factories.a_business("Savanna Freight")
    application = factories.an_application(ApplicationStatus.SUBMITTED, business=business)
    draft = factories.an_application(
        ApplicationStatus.DRAFT, business=factories.a_business("Savanna Retail")
    )
    factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))
    case = reverse("agreements:case", args=[application.public_id])

    assert case in found(client, "freight")
    assert case in found(client, application.public_id)
    assert draft.public_id not in found(client, "savanna")


def test_newer_businesses_without_an_application_hide_no_older_one(client):
    business = factories.a_business("Savanna Freight")
    application = factories.an_application(ApplicationStatus.SUBMITTED, business=business)
    for number in range(search.EACH):
        factories.a_business(f"Savanna {number}")
    factories.signed_in(client, factories.one_of_staff(Role.COMPLIANCE))

    assert reverse("agreements:case", args=[application.public_id]) in found(client, "savanna")


def test_a_business_finds_its_own_application_and_no_other(client):
    mine, theirs = factories.a_business("Mine"), factories.a_business("Theirs")
    own, other = factories.an_application(business=mine), factories.an_application(business=theirs)
    factories.signed_in(client, factories.owner_of(mine))

    assert own.get_absolute_url() in found(client, own.public_id)
    assert "Theirs" not in found(client, other.public_id)
    assert "Theirs" not in found(client, "theirs")


def test_staff_without_their_second_factor_find_nothing(client):
    factories.an_application(
        ApplicationStatus.SUBMITTED, business=factories.a_business("Savanna Freight")
    )
    person = factories.a_person()
    staff.give_role(person, Role.COMPLIANCE, by=SYSTEM)
    factories.signed_in(client, person, by="password")

    assert "Savanna" not in found(client, "freight")


def test_one_letter_finds_nothing():
    assert search.find(None, "s") == []


def test_a_name_is_data_not_markup(client):
    factories.signed_in(
        client, factories.owner_of(factories.a_business("<img src=x onerror=alert(1)>"))
    )
    assert "<img" not in found(client, "onerror")


def test_it_is_a_page_where_no_script_runs(client):
    business = factories.a_business("Savanna Freight")
    factories.signed_in(client, factories.owner_of(business))
    page = client.get(reverse("shell:search"), {"q": "savanna"}).text

    assert "Found for “savanna”" in page
    assert reverse("accounts:team", args=[business.public_id]) in page
