"""Issuing a key."""

import pytest

from apikeys.grants import grants
from apikeys.keys import forms, keys
from apikeys.lifecycle import KeyStatus
from apikeys.models import ApiKey, Grant
from console.accounts import members
from console.accounts.business_access import AccessStopped
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import NotAllowed, Refused
from console.events.models import Event
from tests import factories
from tests.apikeys import world


def test_it_issues_a_key_inside_the_grant():
    grant = world.a_grant()
    key, plain = world.a_key(grant, scopes=("webhooks:read", "balances:read"))

    assert key.status == KeyStatus.ACTIVE
    assert key.scopes == ["balances:read", "webhooks:read"]
    assert plain.startswith(f"{key.public_id}:")
    assert Event.objects.filter(kind="key.created", subject_id=key.public_id).count() == 1
    assert Entry.objects.filter(code="key.created", subject_id=key.public_id).count() == 1


def test_the_first_key_pins_the_version(settings):
    grant = world.a_grant()
    world.a_key(grant)
    grant.refresh_from_db()

    assert grant.api_version == settings.API_VERSION


@pytest.mark.parametrize("scopes", [("cards:write", "refunds:write"), ("nothing:read",), ()])
def test_scopes_outside_the_grant_are_refused(scopes):
    with pytest.raises(keys.NotInTheGrant):
        world.a_key(scopes=scopes)


@pytest.mark.parametrize("days", [-1, 0, 365.1, 4000])
def test_a_life_that_is_no_life_or_too_long_is_refused(days):
    with pytest.raises(keys.NotInTheGrant):
        world.a_key(days=days)


def test_a_stranger_may_not():
    grant = world.a_grant()

    with pytest.raises(NotAllowed):
        world.a_key(grant, by=factories.a_person())
    with pytest.raises(NotAllowed):
        world.a_key(grant, by=factories.a_member(grant.business, Role.SIGNATORY))


def test_a_suspended_sandbox_gives_no_keys():
    grant = world.a_grant()
    grants.suspend(grant, reason="Odd traffic", by=factories.one_of_staff(Role.ACCOUNT_MANAGER))

    with pytest.raises(keys.CannotIssue) as refused:
        world.a_key(grant)
    assert [blocker.code for blocker in refused.value.blockers] == ["grant"]


def test_twenty_keys_are_the_most():
    grant = world.a_grant()
    made = [world.a_key(grant)[0] for _ in range(keys.MOST)]

    with pytest.raises(keys.CannotIssue) as refused:
        world.a_key(grant)
    assert [blocker.code for blocker in refused.value.blockers] == ["too_many"]

    keys.revoke(made[0], reason="Replaced.", by=factories.owner_of(grant.business))
    assert world.a_key(grant)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_never_pass_the_most():
    grant = world.a_grant()
    owner = factories.owner_of(grant.business)
    for _ in range(keys.MOST - 2):
        world.a_key(grant, by=owner)

    assert world.pressed_at_once(lambda: world.a_key(grant, by=owner), 8) == 2
    assert grant.keys.held().count() == keys.MOST


@pytest.mark.parametrize("status", [Access.SUSPENDED, Access.CLOSED])
def test_a_business_that_is_not_active_creates_no_key(status):
    grant = world.a_grant()
    factories.change(Business.objects.filter(pk=grant.business_id), status=status)

    blockers = keys.issue_blockers(Grant.objects.get(pk=grant.pk))

    assert [blocker.code for blocker in blockers] == ["business"]
    with pytest.raises(keys.CannotIssue):
        world.a_key(grant)
    assert not grant.keys.exists()


@pytest.mark.parametrize("role", [Role.OWNER, Role.ADMINISTRATOR, Role.DEVELOPER])
def test_while_access_is_suspended_nobody_gets_a_role_that_could_create_keys(role):
    grant = world.a_grant()
    owner = factories.owner_of(grant.business)
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    grants.suspend(grant, reason="Too many disputes.", by=manager)

    with pytest.raises(AccessStopped, match=r"is suspended\. You cannot give"):
        members.invite(grant.business, email="x@example.com", role=role, by=owner)
    members.invite(grant.business, email="x@example.com", role=Role.VIEWER, by=owner)

    grants.restore(grant, reason="Settled.", by=manager)
    members.invite(grant.business, email="x@example.com", role=role, by=owner)


def test_the_name_of_a_key_holds_no_web_address_by_whichever_door():
    with pytest.raises(Refused, match="holds a web address"):
        world.a_key(name="Claim at evil.com")
    key, _ = world.a_key()
    with pytest.raises(Refused, match="holds a web address"):
        keys.rename(key, "https://evil", by=factories.owner_of(key.business))
    assert list(ApiKey.objects.values_list("name", flat=True)) == ["Backend, staging"]
    typed = {"name": "Claim at evil.com"}
    for form in (forms.NewKeyForm(typed, grant=key.grant), forms.RenameForm(typed)):
        assert "Leave the web address out" in str(form.errors["name"])
