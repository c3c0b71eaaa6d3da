"""Each condition of going live follows its fact; a lost one is notified once and stops new keys."""

from datetime import timedelta

import pytest
from django.core import mail

from apikeys.going_live import conditions, live_readiness
from apikeys.going_live.models import UnmetCondition
from apikeys.grants import grants
from apikeys.keys import keys
from apikeys.models import Grant
from apikeys.suspension import suspension
from apikeys.webhooks import endpoints
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit.models import Entry
from console.catalogue import products
from console.core import clock
from console.events.models import Event
from onboarding.checks import runs
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from tests import factories
from tests.apikeys.going_live import world as going


def red(world):
    """Return the unmet lines for every product that could go live."""
    world.business.refresh_from_db()
    lines = live_readiness.lines(world.business, world.sandbox.products)
    return [f"{line.key}.{line.product}".rstrip(".") for line in lines if not line.met]


def a_live_key(world):
    return keys.issue(
        world.live, name="Production", scopes=["balances:read"],
        expires_at=clock.now() + timedelta(days=180), by=world.owner,
    )  # fmt: skip


def test_each_line_follows_its_fact():
    world = going.a_ready_business()
    assert red(world) == []
    lines = live_readiness.lines(world.business, ["customers"])
    assert {line.evidence for line in lines} >= {"1 network", "customers.list"}
    sandbox = world.sandbox
    manager, head = world.manager, world.head

    grants.suspend(sandbox, reason="Odd traffic.", by=manager)
    assert red(world) == ["standing"]
    grants.restore(sandbox, reason="Explained.", by=manager)
    suspension.suspend(world.business, reason="A question.", by=head)
    assert red(world) == ["standing"]
    suspension.restore(world.business, reason="Answered.", by=head)

    (endpoint,) = WebhookEndpoint.objects.of(world.business)
    endpoints.pause(endpoint, by=world.owner)
    assert red(world) == ["endpoint"]
    endpoints.resume(endpoint, by=world.owner)

    networks = world.live.networks
    factories.change(Grant.objects.filter(pk=world.live.pk), networks=[])
    assert red(world) == ["allowlist"]
    factories.change(Grant.objects.filter(pk=world.live.pk), networks=networks)

    check = Check.objects.filter(application__business=world.business).in_order()[0]
    runs.move(check, CheckStatus.EXPIRED, by=SYSTEM)
    assert red(world) == ["checks"]
    runs.run(check)
    assert red(world) == []

    commercial = factories.one_of_staff(Role.COMMERCIAL)
    products.withdraw(world.business, "customers", reason="No licence.", by=commercial)
    lines = live_readiness.lines(world.business, ["customers"])
    assert [line.turn for line in lines if not line.met] == ["ours"]


def test_what_was_never_there_is_missing():
    business = factories.a_business()
    keys_ = [line.key for line in live_readiness.lines(business, ["cards"]) if not line.met]
    assert keys_ == ["agreement", "checks", "endpoint", "allowlist", "product", "standing"]


def test_a_loss_is_told_once_stops_new_keys_and_lets_others_work():
    world = going.a_live_business()
    key, _ = a_live_key(world)
    (endpoint,) = WebhookEndpoint.objects.of(world.business)
    endpoints.pause(endpoint, by=world.owner)
    factories.settle()
    conditions.compare_all()
    factories.settle()

    (lost,) = UnmetCondition.objects.of(world.business)
    assert lost.key == "endpoint"
    found = {"kind": "unmet_condition.found", "subject_id": lost.public_id}
    assert Event.objects.filter(**found).count() == 1
    assert Entry.objects.filter(code=found["kind"], subject_id=lost.public_id).count() == 1
    told = [one for one in mail.outbox if "is no longer met" in one.subject]
    assert [one.to for one in told].count([world.owner.email]) == 1
    with pytest.raises(keys.CannotIssue) as refused:
        a_live_key(world)
    assert "live.endpoint" in [one.code for one in refused.value.blockers]
    key.refresh_from_db()
    assert key.opens
    assert world.live.is_open

    endpoints.resume(endpoint, by=world.owner)
    factories.settle()
    lost.refresh_from_db()
    assert lost.settled_at is not None
    assert a_live_key(world)


def test_live_follows_what_is_open_and_both_worlds_obey_a_suspension():
    world = going.a_live_business()
    commercial = factories.one_of_staff(Role.COMMERCIAL)
    products.withdraw(world.business, "customers", reason="No licence.", by=commercial)
    factories.settle()
    assert "customers" not in world.sandbox.products
    assert "customers" not in world.live.products
    assert "customers" in world.live.live_products

    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    grants.suspend(world.live, reason="Odd traffic.", by=manager)
    with pytest.raises(keys.CannotIssue):
        a_live_key(world)
    assert grants.restore(world.live, reason="Explained.", by=manager).is_open
