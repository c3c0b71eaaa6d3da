"""The access of a whole business: suspended, restored, closed, with e-mails to everyone."""

import pytest
from django.core import mail
from django.urls import reverse

from apikeys.keys import keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey
from apikeys.suspension import suspension
from console.accounts.lifecycle import Access
from console.accounts.models import Business, Membership
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import NotAllowed, WrongStatus
from console.events.models import Event
from tests import factories
from tests.apikeys import world

WHY = "Traffic to a restricted country."


@pytest.fixture
def key():
    return world.a_key()[0]


@pytest.fixture
def compliance():
    return factories.one_of_staff(Role.COMPLIANCE)


def at(verb, business):
    return reverse(f"apikeys:{verb}_business", args=[business.public_id])


def test_compliance_suspends_and_restores(key, compliance):
    business = suspension.suspend(key.business, reason=WHY, by=compliance)
    assert (business.status, business.status_changed_at is None) == (Access.SUSPENDED, False)
    assert suspension.restore(business, reason="Explained.", by=compliance).status == Access.ACTIVE

    key.refresh_from_db()
    assert key.status == KeyStatus.ACTIVE
    written = Entry.objects.filter(subject_id=business.public_id, body__contains=WHY)
    assert [entry.code for entry in written] == ["business.suspended"]
    kinds = Event.objects.filter(subject_id=business.public_id, kind__startswith="access.")
    assert [one.kind for one in kinds.order_by("pk")] == ["access.suspended", "access.restored"]


def test_closing_revokes_every_key(key, compliance):
    head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    second, _ = world.a_key(key.grant, name="Second")
    keys.revoke(second, reason="Replaced.", by=factories.owner_of(key.business))

    with pytest.raises(NotAllowed):
        suspension.close(key.business, reason=WHY, by=compliance)
    business = suspension.close(key.business, reason=WHY, by=head)

    assert business.status == Access.CLOSED
    assert set(ApiKey.objects.values_list("status", flat=True)) == {KeyStatus.REVOKED}
    assert Event.objects.filter(kind="key.revoked", subject_id=key.public_id).count() == 1
    with pytest.raises(WrongStatus):
        suspension.restore(business, reason=WHY, by=head)


def test_whoever_belonged_to_the_business_does_not_decide(key, compliance):
    factories.join(key.business, compliance, Role.VIEWER)
    Membership.objects.filter(user=compliance, business=key.business).delete()

    with pytest.raises(NotAllowed):
        suspension.suspend(key.business, reason=WHY, by=compliance)


def test_its_people_are_told_by_email_and_on_every_page(client, key, compliance):
    business = key.business
    viewer = factories.a_member(business, Role.VIEWER)
    suspension.suspend(business, reason=WHY, by=compliance)
    factories.settle()

    told = {sent.to[0]: sent.body for sent in mail.outbox if "suspended" in sent.subject}
    assert set(told) == {viewer.email, factories.owner_of(business).email}
    assert all(WHY not in body and business.public_id in body for body in told.values())
    factories.signed_in(client, viewer)
    for page in ("api:home", "accounts:team", "agreements:pack", "onboarding:access"):
        shown = client.get(reverse(page, args=[business.public_id]), follow=True)
        assert b"The access of this business is suspended" in shown.content
        words = " ".join(shown.content.decode().split())
        assert f"write to us and quote {business.public_id}" in words

    suspension.restore(business, reason="Explained.", by=compliance)
    shown = client.get(reverse("api:home", args=[business.public_id]))
    assert b"is suspended" not in shown.content


def test_the_page_takes_a_reason_the_role_and_a_fresh_proof(client, key, compliance):
    business = key.business
    factories.signed_in(client, compliance)
    assert b"Say why, in a sentence." in client.post(at("suspend", business), {}).content
    assert client.get(at("close", business)).status_code == 403
    factories.long_ago(client)
    assert client.post(at("suspend", business), {"reason": WHY}).status_code == 302
    assert Business.objects.get(pk=business.pk).status == Access.ACTIVE

    factories.just_now(client)
    page = client.post(at("suspend", business), {"reason": WHY}, follow=True)
    assert b"is now suspended" in page.content
    assert client.post(at("suspend", business), {"reason": WHY}).status_code == 409
