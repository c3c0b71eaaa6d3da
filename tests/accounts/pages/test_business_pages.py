"""The pages of a business: its first page, name and members."""

from django.urls import reverse

from console.accounts import members
from console.accounts.models import Business, Invitation, Membership
from console.accounts.roles import Role
from tests import factories
from tests.accounts.pages.journey import alerts, link_in


def at(name, business, *more):
    return reverse(f"accounts:{name}", args=[business.public_id, *more])


def home_of(business):
    return reverse("api:home", args=[business.public_id])


def as_owner(client, name="Acme Limited"):
    business = factories.a_business(name)
    factories.signed_in(client, factories.owner_of(business))
    return business


def roles_of(person):
    return {*Membership.objects.filter(user=person).values_list("role", flat=True)}


def test_a_person_adds_a_business_and_owns_it(client):
    factories.signed_in(client, factories.a_person())
    response = client.post(reverse("accounts:business_new"), {"name": "Savanna Freight"})
    business = Business.objects.get()

    assert response.url == reverse("onboarding:access", args=[business.public_id])
    assert Membership.objects.get().role == Role.OWNER


def test_a_business_that_is_sent_twice_is_added_once(client):
    factories.signed_in(client, factories.a_person())
    client.post(reverse("accounts:business_new"), {"name": "Savanna Freight"})
    again = client.post(reverse("accounts:business_new"), {"name": "savanna freight"})

    assert "You already belong to a business called" in alerts(again)
    assert Business.objects.count() == 1


def test_its_first_page_shows_the_road(client):
    business = as_owner(client)
    page = client.get(home_of(business)).text

    assert "Steps to your live keys" in page
    assert "Answer the questions" in page
    assert 'aria-current="step"' in page


def test_a_viewer_sees_it_and_may_not_rename_it(client):
    business = factories.a_business()
    factories.signed_in(client, factories.a_member(business, Role.VIEWER))

    assert at("business_rename", business) not in client.get(home_of(business)).text
    assert client.post(at("business_rename", business), {"name": "Mine"}).status_code == 403


def test_a_new_name_shows_at_once(client):
    business = as_owner(client)
    page = client.post(at("business_rename", business), {"name": "Acme plc"}, follow=True)

    assert "Acme plc" in page.text
    assert "Enter the name of the business" in alerts(client.post(at("business_rename", business)))


def test_a_colleague_is_invited_and_joins(client, mailoutbox):
    business = as_owner(client)
    client.post(at("invite", business), {"email": "Ife@Example.com", "role": "developer"})
    assert "ife@example.com" in client.get(at("team", business)).text
    factories.settle()
    link = link_in(mailoutbox[-1])

    client.logout()
    assert "Sign in to accept" in client.get(link).text
    factories.signed_in(client, factories.a_person(email="ife@example.com"))
    assert "Accept the invitation" in client.get(link).text
    page = client.post(f"{link}accept/", follow=True).text
    assert "You now work for Acme Limited" in page
    assert client.post(f"{link}accept/").url == home_of(business)
    assert client.get(link).url == home_of(business)


def test_an_invitation_is_for_one_address(client):
    business = as_owner(client)
    owner = factories.owner_of(business)
    offer = members.invite(business, email="ife@example.com", role=Role.VIEWER, by=owner)
    link = reverse("accounts:invitation", args=[members.invitation_token(offer)])
    factories.signed_in(client, factories.a_person())

    assert "for another address" in client.get(link).text
    assert client.post(f"{link}accept/").status_code == 403


def test_an_invitation_can_be_taken_back(client):
    business = as_owner(client)
    client.post(at("invite", business), {"email": "ife@example.com", "role": "viewer"})
    withdraw = at("withdraw", business, Invitation.objects.get().public_id)
    assert [client.post(withdraw).status_code for _ in range(2)] == [302, 302]

    assert not Invitation.objects.open().exists()


def test_an_invitation_that_was_accepted_is_not_called_withdrawn(client):
    business = as_owner(client)
    owner, colleague = factories.owner_of(business), factories.a_person()
    offer = members.invite(business, email=colleague.email, role=Role.VIEWER, by=owner)
    members.accept(members.invitation_token(offer), by=colleague)

    page = client.post(at("withdraw", business, offer.public_id))
    assert "has already accepted this invitation" in page.text


def test_roles_are_changed_at_once(client):
    business = as_owner(client)
    colleague = factories.a_member(business, Role.VIEWER)
    page, wanted = at("member", business, colleague.public_id), ["developer", "signatory"]
    assert 'name="seen" value="viewer"' in client.get(page).text
    old = {"seen": "viewer"}
    assert [client.post(page, old | {"roles": wanted}).status_code for _ in range(2)] == [302, 302]
    assert roles_of(colleague) == set(wanted)

    refused = client.post(page, old | {"roles": ["viewer"]})
    assert refused.status_code == 409
    assert "Somebody changed the roles" in refused.text
    assert roles_of(colleague) == set(wanted)


def test_the_last_owner_stays(client):
    business = as_owner(client)
    owner = factories.owner_of(business)
    response = client.post(at("member", business, owner.public_id), {"roles": ["viewer"]})

    assert "A business needs an owner" in alerts(response)
    assert client.post(at("remove", business, owner.public_id)).status_code in (302, 409)
    assert factories.owner_of(business) == owner


def test_who_leaves_goes_to_their_start_page(client):
    business = as_owner(client)
    owner = factories.owner_of(business)
    factories.a_member(business, Role.OWNER)

    page = client.post(at("remove", business, owner.public_id), follow=True)
    assert page.status_code == 200
    assert "no longer has access to" in page.text


def test_who_is_removed_sees_nothing_more(client):
    business = as_owner(client)
    colleague = factories.a_member(business, Role.VIEWER)
    client.post(at("remove", business, colleague.public_id))
    factories.signed_in(client, colleague)

    assert client.get(home_of(business)).status_code == 404
