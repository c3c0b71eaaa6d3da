"""Home redirects people to their work and describes the console to everyone else."""

from django.urls import reverse

from tests import factories


def test_a_stranger_reads_what_this_is(client):
    page = client.get("/").text

    assert "Get access to the payments API" in page
    assert reverse("accounts:sign_up") in page


def test_a_person_of_one_business_goes_there(client):
    business = factories.a_business()
    factories.signed_in(client, factories.owner_of(business))

    assert client.get("/").url == reverse("api:home", args=[business.public_id])


def test_a_person_of_several_chooses(client):
    owner = factories.a_person()
    factories.a_business("First", owner=owner)
    factories.a_business("Second", owner=owner)
    page = factories.signed_in(client, owner).get("/").text

    assert "First" in page
    assert "Second" in page


def test_a_person_of_none_is_asked_to_begin(client):
    answer = factories.signed_in(client, factories.a_person()).get("/")
    assert answer.headers["Location"] == reverse("accounts:business_new")
