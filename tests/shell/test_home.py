"""Home sends people to their work, and tells everybody else what this is."""

from django.urls import reverse

from agreements.lifecycle import PackStatus
from console.accounts.roles import Role
from tests import given


def test_a_stranger_reads_what_this_is(client):
    page = client.get("/").content.decode()

    assert "Get access to the payments API" in page
    assert reverse("accounts:sign_up") in page


def test_a_person_of_one_business_goes_there(client):
    business = given.a_business()
    given.signed_in(client, given.owner_of(business))

    assert client.get("/").url == reverse("accounts:business", args=[business.public_id])


def test_a_person_of_several_chooses(client):
    owner = given.a_person()
    given.a_business("First", owner=owner)
    given.a_business("Second", owner=owner)
    page = given.signed_in(client, owner).get("/").content.decode()

    assert "First" in page
    assert "Second" in page


def test_a_person_of_none_is_asked_to_begin(client):
    page = given.signed_in(client, given.a_person()).get("/").content.decode()
    assert reverse("accounts:business_new") in page


def test_staff_go_to_their_first_page(client):
    given.signed_in(client, given.one_of_staff(Role.COMPLIANCE))
    assert client.get("/").status_code == 302


def test_staff_go_where_something_waits_for_them(client):
    given.a_pack(PackStatus.IN_APPROVAL)
    given.signed_in(client, given.one_of_staff(Role.LEGAL))
    assert client.get("/").headers["Location"] == reverse("agreements:packs")
