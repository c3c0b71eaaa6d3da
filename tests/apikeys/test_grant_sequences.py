"""R4: after any sequence of actions, a sandbox has the status that the table specifies."""

from collections import Counter
from random import Random

import pytest
from django.db import IntegrityError, transaction

from apikeys.grants import grants
from apikeys.lifecycle import GRANT_LIFECYCLE, GrantStatus
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import HandSetting
from console.core.refusals import Refused
from tests import factories, sequences
from tests.apikeys import world
from tests.proofs import Proven, proof

WHY = "Asked us to."
STEPS = ("suspend", "restore", "open", "close", "off", "release")
CLOSED, OPEN, SUSPENDED = GrantStatus.CLOSED, GrantStatus.OPEN, GrantStatus.SUSPENDED
# The next status for each step; missing pairs are refused. Opening an open one changes nothing.
MODEL = {
    ("suspend", OPEN): SUSPENDED,
    ("restore", SUSPENDED): OPEN,
    ("open", CLOSED): OPEN,
    ("open", OPEN): OPEN,
    ("open", SUSPENDED): SUSPENDED,
    ("close", OPEN): CLOSED,
    ("close", SUSPENDED): CLOSED,
}


def press(grant: Grant, step: str, hand: HandSetting, by: User) -> None:
    if step == "suspend":
        grants.suspend(grant, reason=WHY, by=by)
    elif step == "restore":
        grants.restore(grant, reason=WHY, by=by)
    elif step == "open" and grant.status == CLOSED:
        # The function requires an executed pack, see test_open_sandbox.py. This sets the rest
        # directly.
        with transaction.atomic():
            grants.follow_products(grants.move(grant, OPEN, by=by), by=by)
    elif step == "open":
        grants.open_sandbox(grant.business, by=by)
    elif step == "close":
        with transaction.atomic():
            grants.move(Grant.objects.locked(grant), CLOSED, by=by)
    elif step == "off":
        module_settings.set_by_hand(
            grant.business, "cards", HandSetting.OFF, seen=hand, reason=WHY, by=by
        )
    else:
        module_settings.release(grant.business, "cards", seen=hand, reason=WHY, by=by)


def expected(step: str, status: GrantStatus, hand: HandSetting) -> GrantStatus | None:
    """Return the status after a step, or None if the step is refused."""
    if step == "off":
        return None if hand == HandSetting.OFF else status
    if step == "release":
        return status if hand == HandSetting.OFF else None
    return MODEL.get((step, status))


def let_by_sql(grant: Grant) -> list[str]:
    """Try every transition in SQL, and return those where database and table disagree."""
    wrong = []
    for to in GrantStatus:
        may = to == grant.status or GRANT_LIFECYCLE.allows(grant.status, to)
        done = True
        try:
            with transaction.atomic():
                Grant.objects.filter(pk=grant.pk).update(status=to)
                transaction.set_rollback(True)
        except IntegrityError:
            done = False
        wrong += [f"SQL {grant.status} -> {to}: {done}"] if done != may else []
    return wrong


@pytest.mark.django_db
@proof(
    "R4", "a grant against a model", small=12, full=20_000,
    asked="0 divergences, every move >= 100 times",
)  # fmt: skip
def test_every_order_of_presses_leaves_a_grant_as_the_table_says(proven: Proven):
    random, wrong = Random(4), list[str]()
    made = Counter[tuple[str, str]]()
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    business = world.a_grant(products=()).business
    products.approve(business, ["balances", "cards"], by=SYSTEM)
    for _ in range(proven.size):
        sequence, hand = random.choices(STEPS, k=random.randint(1, 10)), HandSetting.NONE
        with transaction.atomic():
            for step in sequence:
                grant = Grant.objects.get(business=business, environment="sandbox")
                before = GrantStatus(grant.status)
                then = expected(step, before, hand)
                try:
                    press(grant, step, hand, manager)
                except Refused:
                    done = False
                else:
                    done = True
                    hand = {"off": HandSetting.OFF, "release": HandSetting.NONE}.get(step, hand)
                grant.refresh_from_db()
                if done != (then is not None) or grant.status != (then or before):
                    wrong.append(f"{sequence} at {step}: {before}, {grant.status}, not {then}")
                made[before, GrantStatus(grant.status)] += 1
                shown = ["balances"] + ["cards"] * (hand != HandSetting.OFF)
                if grant.status != CLOSED and grant.products != shown:
                    wrong.append(f"{sequence} at {step}: {grant.products}, not {shown}")
            wrong += let_by_sql(grant)
            transaction.set_rollback(True)
    sequences.report(proven, GRANT_LIFECYCLE, made, wrong)
