"""Requiring signatures: permissions, the record of it, and its page."""

import pytest
from django.urls import reverse

from apikeys.signing import signing_rule
from console.accounts.roles import Role
from console.audit.models import Entry
from console.events.models import Event
from tests import factories
from tests.apikeys import world


@pytest.fixture
def grant():
    return world.a_grant()


def test_it_is_audited_and_told_once(grant):
    owner = factories.owner_of(grant.business)
    for _ in range(2):
        grant = signing_rule.set_required(grant, required=True, by=owner)

    assert grant.requires_signatures
    (entry,) = Entry.objects.filter(code="signing.required")
    assert '"after":{"requires_signatures":true}' in entry.body
    assert Event.objects.filter(kind="signing.changed", subject_id=grant.public_id).count() == 1
    signing_rule.set_required(grant, required=False, by=owner)
    assert Entry.objects.filter(code="signing.optional").count() == 1


def test_the_page(client, grant):
    business = grant.business
    listed = reverse("apikeys:keys", args=[business.public_id])
    page = reverse("apikeys:signing", args=[business.public_id, grant.public_id])
    factories.signed_in(client, factories.a_member(business, Role.ADMINISTRATOR))

    assert page in client.get(listed).text
    assert reverse("api:signing") in client.get(page).text
    told = client.post(page, {"signing": "required"}, follow=True).text
    assert "must now be signed" in told
    assert "Required for every call" in told
    assert client.post(page, {}).status_code == 200
    client.post(page, {"signing": "optional"})
    grant.refresh_from_db()
    assert not grant.requires_signatures

    factories.signed_in(client, factories.a_member(business, Role.DEVELOPER))
    assert page not in client.get(listed).text
    assert client.post(page, {"signing": "required"}).status_code == 403
    other = world.a_grant()
    factories.signed_in(client, factories.owner_of(business))
    theirs = reverse("apikeys:signing", args=[business.public_id, other.public_id])
    assert client.get(theirs).status_code == 404
