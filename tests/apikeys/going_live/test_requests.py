"""Requesting, proposing, deciding, confirming: three people, and conditions at every step."""

import pytest
from django.db import DatabaseError, connection, transaction

from apikeys.going_live import requests
from apikeys.going_live.models import GoLiveRequest
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import NotAllowed, NotReady, ReasonMissing, Refused, Stale
from console.events.models import Event
from tests import factories
from tests.apikeys.going_live import world as going
from tests.apikeys.going_live.world import NOTE


@pytest.fixture
def world():
    return going.a_ready_business()


def test_three_people_open_live_with_what_was_asked_for(world):
    assert world.live.status == GrantStatus.CLOSED
    request = going.a_request(world, "confirmed")

    assert sorted(request.products) == ["balances", "customers", "webhooks"]
    assert len({request.proposed_by, request.decided_by, request.confirmed_by}) == 3
    live = world.live
    assert (live.status, live.products, live.tier) == ("open", request.products, "LOW")
    assert live.live_products == request.products
    for step in ("requested", "proposed", "approved", "confirmed"):
        code = f"go_live_request.{step}"
        assert Event.objects.filter(kind=code, subject_id=request.public_id).count() == 1
        assert Entry.objects.filter(code=code, subject_id=request.public_id).count() == 1

    more = requests.choices(world.business)
    assert more
    assert not set(more) & set(live.live_products)
    second = requests.ask(world.business, more[:1], by=world.owner)
    requests.propose(second, note=NOTE, by=world.manager)
    requests.approve(second, reason="Go on.", by=world.head)
    requests.confirm(second, by=world.owner)
    assert set(world.live.products) == {*request.products, more[0]}


def test_each_step_is_refused_to_who_may_not_take_it(world):
    developer = factories.a_member(world.business, Role.DEVELOPER)
    with pytest.raises(NotAllowed):
        requests.ask(world.business, ["customers"], by=developer)
    request = going.a_request(world)
    with pytest.raises(NotReady, match="An account manager must propose"):
        requests.approve(request, reason="Fine.", by=world.head)
    for person in (world.head, world.owner, factories.one_of_staff(Role.COMMERCIAL)):
        with pytest.raises(NotAllowed):
            requests.propose(request, note=NOTE, by=person)
    with pytest.raises(ReasonMissing):
        requests.propose(request, note="  ", by=world.manager)
    request = requests.propose(request, note=NOTE, by=world.manager)
    with pytest.raises(Stale):
        requests.propose(request, note=NOTE, by=world.manager)
    for person in (world.manager, factories.one_of_staff(Role.COMPLIANCE), world.owner):
        with pytest.raises(NotAllowed):
            requests.approve(request, reason="Fine.", by=person)
    request = requests.approve(request, reason="Fine.", by=world.head)
    for person in (world.manager, world.head, developer):
        with pytest.raises(NotAllowed):
            requests.confirm(request, by=person)
    requests.confirm(request, by=world.owner)
    with pytest.raises(Stale):
        requests.confirm(request, by=world.owner)


def test_nobody_of_two_roles_takes_two_steps(world):
    both = factories.one_of_staff(Role.ACCOUNT_MANAGER, Role.HEAD_OF_COMPLIANCE)
    request = requests.propose(going.a_request(world), note=NOTE, by=both)

    with pytest.raises(Refused, match="as Account manager"):
        requests.approve(request, reason="Fine.", by=both)


def test_a_declined_request_says_why_and_another_may_follow(world):
    request = going.a_request(world, "proposed")
    with pytest.raises(ReasonMissing):
        requests.decline(request, reason="", by=world.head)
    request = requests.decline(request, reason="Tell us about your shops.", by=world.head)
    with pytest.raises(Refused):
        requests.confirm(request, by=world.owner)

    second = requests.ask(world.business, ["customers"], by=world.owner)
    with pytest.raises(Stale, match="already has an open request"):
        requests.ask(world.business, [], by=world.owner)
    assert requests.withdraw(second, by=world.owner).status == "withdrawn"
    with pytest.raises(Refused):
        requests.propose(second, note=NOTE, by=world.manager)


def test_an_approval_that_nobody_confirmed_gives_way_to_a_new_request(world):
    approved = going.a_request(world, "approved")
    requests.ask(world.business, ["customers"], by=world.owner)

    with pytest.raises(Refused, match="Open your newest request"):
        requests.confirm(approved, by=world.owner)
    assert not world.live.is_open


@pytest.mark.parametrize("at", ["none", "requested", "proposed", "approved"])
def test_the_facts_are_asked_at_every_step(world, at):
    request = going.a_request(world, at) if at != "none" else GoLiveRequest()
    factories.change(Grant.objects.filter(pk=world.live.pk), networks=[])
    step = {
        "none": lambda: requests.ask(world.business, ["customers"], by=world.owner),
        "requested": lambda: requests.propose(request, note=NOTE, by=world.manager),
        "proposed": lambda: requests.approve(request, reason="Fine.", by=world.head),
        "approved": lambda: requests.confirm(request, by=world.owner),
    }[at]

    with pytest.raises(requests.CannotGoLive) as refused:
        step()
    assert [one.code for one in refused.value.blockers] == ["live.allowlist"]
    assert not world.live.is_open


def test_what_is_not_open_to_the_business_cannot_be_asked_for(world):
    for unknown in ("cards", "nonsense"):
        with pytest.raises(requests.NothingToAsk):
            requests.ask(world.business, [unknown], by=world.owner)
    assert not GoLiveRequest.objects.exists()


def refused_by(sql, *values):
    """Return the constraint with which the database refuses a statement of the site's role."""
    with pytest.raises(DatabaseError) as error, transaction.atomic():
        connection.cursor().execute(sql, values)
    assert error.value.__cause__ is not None
    return error.value.__cause__.diag.constraint_name  # type: ignore[attr-defined]


def test_the_database_refuses_it_too(world):
    """In SQL as the site's role: one person twice, strangers, and unconfirmed products."""
    request = going.a_request(world)
    table, one = "UPDATE going_live_goliverequest SET", f"WHERE id = {request.pk}"
    propose = f"{table} proposed_by_id = %s, proposed_at = now(), proposal = 'x' {one}"
    decide = (
        f"{table} status = 'approved', decided_by_id = %s, decided_at = now(),"
        f" decision_reason = 'x' {one}"
    )
    confirm = f"{table} confirmed_by_id = %s, confirmed_at = now() {one}"
    open_it = "UPDATE apikeys_grant SET live_products = '{customers}' WHERE id = %s"
    people = "going_live_is_by_its_people"
    assert refused_by(propose, world.manager.pk) == people
    assert refused_by(propose, world.owner.pk) == people
    assert refused_by(open_it, world.live.pk) == "live_products_were_confirmed"

    request = requests.propose(request, note=NOTE, by=world.manager)
    assert refused_by(decide, world.head.pk) == people
    assert refused_by(decide, world.manager.pk) == people
    assert refused_by(confirm, world.owner.pk) == "what_is_confirmed_was_approved"
    assert refused_by(f"{table} status = 'withdrawn' {one}") == "a_withdrawal_says_by_whom"
    assert refused_by(open_it, world.live.pk) == "live_products_were_confirmed"
    keeps = "go_live_requests_keep_who_did_what"
    assert refused_by(f"{table} products = '{{cards}}' {one}") == keeps

    requests.approve(request, reason="Fine.", by=world.head)
    assert refused_by(confirm, world.manager.pk) == people
    assert refused_by(confirm, world.head.pk) == people
    assert refused_by(f"{table} status = 'requested' {one}") == "go_live_request_moves_by_the_table"
    assert refused_by(decide, world.manager.pk) in (people, keeps)
    assert refused_by(f"DELETE FROM going_live_goliverequest {one}") is None
    assert refused_by(open_it, world.live.pk) == "live_products_were_confirmed"
    assert refused_by(open_it, world.sandbox.pk) == "live_products_were_confirmed"
