"""The sandbox opens when the pack is executed and the minimum checks have passed."""

import pytest
from django.db import IntegrityError

from agreements.lifecycle import PackStatus
from api.payments.models import Balance
from apikeys import sandbox_readiness
from apikeys.grants import event_handlers, grants
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.models import Membership
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import HandSetting
from console.core.refusals import NotAllowed
from console.events.models import Event
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from tests import factories
from tests.apikeys import world


def test_an_executed_pack_opens_it_with_the_products_of_the_pack():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()

    grant = Grant.objects.get(business=pack.business, environment=Environment.SANDBOX)
    assert grant.status == GrantStatus.OPEN
    assert grant.products == list(products.approved(pack.business))
    assert grant.tier == pack.tier
    assert Event.objects.filter(kind="grant.open", subject_id=grant.public_id).count() == 1


def test_a_check_that_opened_again_keeps_it_closed_until_it_is_settled():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    check = pack.application.checks.in_order()[0]
    Check.objects.filter(pk=check.pk).update(status=CheckStatus.RUNNING)
    factories.settle()
    assert not Grant.objects.filter(business=pack.business, status=GrantStatus.OPEN).exists()
    assert [b.code for b in sandbox_readiness.blockers(pack.business)] == ["checks"]

    Check.objects.filter(pk=check.pk).update(status=CheckStatus.PASSED)
    event_handlers.open_what_is_ready()
    event_handlers.open_what_is_ready()

    sandbox, live = Grant.objects.of(pack.business).order_by("-environment")
    assert sandbox.is_open
    assert (live.environment, live.status) == (Environment.LIVE, GrantStatus.CLOSED)
    assert Event.objects.filter(kind="grant.open").count() == 1


def test_it_says_what_is_missing():
    business = factories.a_business()

    with pytest.raises(grants.CannotOpen) as refused:
        grants.open_sandbox(business, by=SYSTEM)
    assert [b.code for b in refused.value.blockers] == ["pack", "application"]


def test_a_developer_may_not_open_it():
    grant = world.a_grant()

    with pytest.raises(NotAllowed):
        grants.open_sandbox(grant.business, by=factories.owner_of(grant.business))


def test_opening_an_open_one_changes_nothing():
    grant = world.a_grant()

    assert grants.open_sandbox(grant.business, by=SYSTEM) == grant
    assert Event.objects.filter(kind="grant.open").count() == 1


def test_nothing_opens_a_suspended_one_by_itself():
    grant = world.a_grant()
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    grants.suspend(grant, reason="Odd traffic", by=manager)

    assert grants.open_sandbox(grant.business, by=SYSTEM).status == GrantStatus.SUSPENDED
    assert grants.restore(grant, reason="Explained", by=manager).is_open


def test_who_ever_belonged_to_the_business_neither_suspends_nor_restores():
    grant = world.a_grant()
    insider = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    factories.join(grant.business, insider, Role.VIEWER)
    Membership.objects.filter(user=insider, business=grant.business).delete()
    with pytest.raises(NotAllowed, match="belonged"):
        grants.suspend(grant, reason="Odd traffic", by=insider)
    grants.suspend(grant, reason="Odd traffic", by=factories.one_of_staff(Role.ACCOUNT_MANAGER))
    with pytest.raises(NotAllowed, match="belonged"):
        grants.restore(grant, reason="Explained", by=insider)


def test_the_sandbox_begins_with_its_balances_and_without_the_optional_one():
    grant = world.a_grant()

    held = Balance.objects.filter(business=grant.business).values_list("currency", "available")
    assert dict(held) == {
        **dict.fromkeys(("NGN", "USD", "GBP", "EUR", "CAD"), 100_000_000),
        **dict.fromkeys(("GHS", "KES", "ZAR", "CDF"), 100_000_000),
        **dict.fromkeys(("USDT", "USDC"), 100_000_000_000),
    }


def test_products_that_are_approved_later_reach_the_grant():
    grant = world.a_grant(products=("balances", "webhooks"))
    products.approve(grant.business, ["balances", "cards", "webhooks"], by=SYSTEM)
    grant.refresh_from_db()
    assert grant.products == ["balances", "cards", "webhooks"]


def test_a_suspended_grant_follows_too_and_a_hand_setting_closes_scopes():
    grant = world.a_grant(products=("balances",))
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    grants.suspend(grant, reason="Odd traffic", by=manager)
    products.approve(grant.business, ["balances", "cards"], by=SYSTEM)
    module_settings.set_by_hand(
        grant.business, "balances", HandSetting.OFF, seen="", reason="Asked us to", by=manager
    )
    module_settings.set_by_hand(
        grant.business, "payouts", HandSetting.ON, seen="", reason="A look at it", by=manager
    )

    assert grants.restore(grant, reason="Explained", by=manager).products == ["cards"]
    assert module_settings.shown(grant.business.pk) == {"cards", "payouts"}
    assert products.open_for(grant.business) == ("cards",)


def test_a_business_has_one_grant_for_each_environment():
    grant = world.a_grant()

    with pytest.raises(IntegrityError, match="one_grant_per_environment"):
        Grant.objects.create(business=grant.business, environment=Environment.SANDBOX)
