"""Invitations and roles: who may give which, and a business always has an owner."""

import pytest

from console.accounts import access, members
from console.accounts.business_access import AccessStopped
from console.accounts.lifecycle import Access
from console.accounts.models import Business
from console.accounts.roles import BUSINESS, GRANTS, STAFF, Permission, Role
from console.accounts.signup import LinkSpent
from console.audit.models import Entry
from console.core.refusals import NotAllowed, Refused
from onboarding.review import decisions
from tests import factories


def test_an_invitation_brings_the_role_to_its_address():
    business = factories.a_business()
    person = factories.a_person(email="dev@example.com")
    invitation = members.invite(
        business, email="Dev@Example.com", role=Role.DEVELOPER, by=factories.owner_of(business)
    )

    token = members.invitation_token(invitation)
    members.accept(token, by=person)

    assert access.can(person, Permission.KEY_ISSUE, business)
    with pytest.raises(LinkSpent):
        members.accept(token, by=person)


def test_a_new_invitation_replaces_the_old_one_which_is_in_the_log():
    business = factories.a_business()
    owner = factories.owner_of(business)
    old = members.invite(business, email="dev@example.com", role=Role.OWNER, by=owner)
    members.invite(business, email="dev@example.com", role=Role.VIEWER, by=owner)
    with pytest.raises(LinkSpent):
        members.find_invitation(members.invitation_token(old))
    entry = Entry.objects.get(code="member.invitation_withdrawn")
    assert (entry.subject_id, entry.actor_id) == (old.public_id, owner.public_id)


@pytest.mark.parametrize("role", [Role.OWNER, Role.SIGNATORY])
def test_only_an_owner_makes_owners_and_signatories(role):
    business = factories.a_business()
    administrator = factories.a_member(business, Role.ADMINISTRATOR)
    with pytest.raises(NotAllowed, match="Only an owner"):
        members.invite(business, email="x@example.com", role=role, by=administrator)
    members.invite(business, email="x@example.com", role=Role.VIEWER, by=administrator)


def test_no_business_gives_a_role_on_our_staff():
    business = factories.a_business()
    for role in STAFF:
        with pytest.raises(NotAllowed):
            members.invite(
                business, email="x@example.com", role=role, by=factories.owner_of(business)
            )


def test_who_is_here_already_is_not_invited():
    business = factories.a_business()
    owner = factories.owner_of(business)
    with pytest.raises(Refused, match="in the team already"):
        members.invite(business, email=owner.email.upper(), role=Role.VIEWER, by=owner)


def test_who_leaves_leaves_no_way_back():
    business = factories.a_business()
    owner, leaving = factories.owner_of(business), factories.a_member(business, Role.OWNER)
    back = members.invite(business, email="second@example.com", role=Role.OWNER, by=leaving)
    kept = members.invite(business, email="third@example.com", role=Role.OWNER, by=owner)

    members.set_roles(business, leaving, [], by=owner)

    with pytest.raises(LinkSpent):
        members.find_invitation(members.invitation_token(back))
    assert members.find_invitation(members.invitation_token(kept)) == kept


def test_who_leaves_by_themselves_takes_their_invitations_along():
    business = factories.a_business()
    leaving = factories.a_member(business, Role.OWNER)
    offered = members.invite(business, email="second@example.com", role=Role.VIEWER, by=leaving)

    members.set_roles(business, leaving, [], by=leaving)

    with pytest.raises(LinkSpent):
        members.find_invitation(members.invitation_token(offered))


def test_a_role_taken_away_is_gone_at_once():
    business = factories.a_business()
    developer = factories.a_member(business, Role.DEVELOPER)
    members.set_roles(business, developer, [], by=factories.owner_of(business))
    assert not access.can(developer, Permission.BUSINESS_VIEW, business)
    with pytest.raises(Refused, match="does not belong"):
        members.set_roles(business, developer, [Role.VIEWER], by=factories.owner_of(business))


def test_a_person_may_belong_to_several_businesses():
    person = factories.a_person()
    first, second = factories.a_business("First", owner=person), factories.a_business("Second")
    factories.join(second, person, Role.VIEWER)
    assert access.can(person, Permission.KEY_ISSUE, first)
    assert not access.can(person, Permission.KEY_ISSUE, second)


def test_a_stranger_may_nothing_and_the_auditor_changes_nothing():
    business = factories.a_business()
    stranger, auditor = factories.a_person(), factories.one_of_staff(Role.AUDITOR)
    assert not any(access.can(stranger, one, business) for one in Permission)
    held = {one for one in Permission if access.can(auditor, one)}
    assert held == {Permission.REVIEW_VIEW, Permission.AUDIT_VIEW, Permission.WORK_VIEW}


def test_every_permission_is_brought_by_a_role():
    assert {one for granted in GRANTS.values() for one in granted} == set(Permission)


@pytest.mark.parametrize("role", [Role.OWNER, Role.SIGNATORY])
def test_only_an_owner_takes_back_or_replaces_their_invitation(role):
    business = factories.a_business()
    owner, administrator = (
        factories.owner_of(business),
        factories.a_member(business, Role.ADMINISTRATOR),
    )
    invitation = members.invite(business, email="x@example.com", role=role, by=owner)

    with pytest.raises(NotAllowed, match="Only an owner"):
        members.withdraw_invitation(invitation, by=administrator)
    with pytest.raises(NotAllowed, match="Only an owner"):
        members.invite(business, email="x@example.com", role=Role.VIEWER, by=administrator)

    assert members.find_invitation(members.invitation_token(invitation)) == invitation


@pytest.mark.parametrize("role", BUSINESS)
def test_a_suspended_business_gives_nobody_a_role_that_could_bind_it_or_create_keys(role):
    business = factories.a_business()
    owner, invited = factories.owner_of(business), factories.a_person()
    earlier = members.invite(business, email=invited.email, role=role, by=owner)
    viewer = factories.a_member(business, Role.VIEWER)
    factories.change(Business.objects.filter(pk=business.pk), status=Access.SUSPENDED)

    attempts = [
        lambda: members.invite(business, email="x@example.com", role=role, by=owner),
        lambda: members.accept(members.invitation_token(earlier), by=invited),
        lambda: members.set_roles(business, viewer, [Role.VIEWER, role], by=owner),
    ]
    for attempt in attempts:
        if role == Role.SIGNATORY or Permission.KEY_ISSUE in GRANTS[role]:
            with pytest.raises(AccessStopped, match="is suspended"):
                attempt()
        else:
            attempt()


def test_who_reviewed_a_business_does_not_join_it():
    application = factories.an_application("submitted")
    business, reviewer = application.business, factories.one_of_staff(Role.COMPLIANCE)
    decisions.hold(application, note="Wait.", by=reviewer)
    invitation = members.invite(
        business, email=reviewer.email, role=Role.VIEWER, by=factories.owner_of(business)
    )

    with pytest.raises(NotAllowed, match="You reviewed an application of this business"):
        members.accept(members.invitation_token(invitation), by=reviewer)

    assert not access.roles_of(reviewer, business)
