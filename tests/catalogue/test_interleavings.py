"""R17: concurrent and interrupted actions leave the sync and the scopes right.

Two people act on one business at the same time, and some are interrupted before they commit. Every
function holds the business's lock until it commits, so the log has the order of the events;
replaying it gives the model for comparison with the rows.
"""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from django.db import InterfaceError, OperationalError, connection, transaction

from apikeys.grants import grants
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from apikeys.suspension import suspension
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.audit import history
from console.audit.history import HistoryQuery
from console.catalogue import module_settings, module_sync, products
from console.catalogue.definitions import PRODUCTS
from console.catalogue.lifecycle import HandSetting, ProductStatus
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core.refusals import Refused
from tests import databases, factories
from tests.apikeys import world
from tests.proofs import Proven, proof

KEYS = ("cards", "payouts", "rates")
STEPS, TOGETHER = 6, 2
# Interleavings run one after another on one business, which keeps their effects. Then its rows are
# deleted, as syncing all businesses would get slower each time.
ON_ONE_BUSINESS = 20
CUT_OFF = "This was never said."


class CutOff(Exception):
    """The worker was interrupted before it committed."""


class People(NamedTuple):
    """The people who act, each with a role that may."""

    owner: User
    manager: User
    commercial: User
    compliance: User


def everybody() -> People:
    """Return one person for each role."""
    staff = (Role.ACCOUNT_MANAGER, Role.COMMERCIAL, Role.COMPLIANCE)
    return People(factories.a_person(), *map(factories.one_of_staff, staff))


class Step(NamedTuple):
    """One action, and how it is interrupted before it commits, if it is."""

    act: Callable[[str], object]
    cut: str


def drawn(business: Business, people: People, chance: random.Random) -> Step:
    """Draw an action on one business; it takes the reason to record."""

    def subset() -> list[str]:
        return [key for key in KEYS if chance.random() < 0.5]

    def by_hand(key: str, reason: str) -> object:
        seen = ModuleSetting.objects.filter(business=business, module=key).values_list("hand")
        was = next((hand for (hand,) in seen), "")
        to = chance.choice([one for one in HandSetting if one != was])
        if to == HandSetting.NONE:
            return module_settings.release(business, key, seen=was, reason=reason, by=manager)
        return module_settings.set_by_hand(business, key, to, seen=was, reason=reason, by=manager)

    def of_grant(verb: Callable[..., Grant], reason: str) -> object:
        return verb(Grant.objects.get(business=business), reason=reason, by=manager)

    owner, manager, commercial, compliance = people
    wanted, key = subset(), chance.choice(KEYS)
    said = dict.fromkeys(KEYS, "No.")
    acts: list[Callable[[str], object]] = [
        lambda _: products.request(business, wanted, by=owner),
        lambda _: products.approve(business, wanted, refusals=said, by=commercial),
        lambda reason: products.withdraw(business, key, reason=reason, by=commercial),
        lambda reason: by_hand(key, reason),
        lambda reason: by_hand(key, reason),
        lambda _: module_sync.sync(business, by=manager),
        lambda _: module_sync.sync_all(by=manager),
        lambda reason: of_grant(grants.suspend, reason),
        lambda reason: of_grant(grants.restore, reason),
        lambda reason: suspension.suspend(business, reason=reason, by=compliance),
        lambda reason: suspension.restore(business, reason=reason, by=compliance),
    ]
    return Step(chance.choice(acts), chance.choice(["", "", "", "raised", "killed"]))


def take(step: Step) -> None:
    """Take a step in its own transaction; an interrupted one changes nothing."""
    try:
        with transaction.atomic():
            step.act(CUT_OFF if step.cut else "Because.")
            if step.cut == "raised":
                raise CutOff
            if step.cut == "killed":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    except (Refused, CutOff):
        pass
    except (OperationalError, InterfaceError):
        assert step.cut == "killed"
    finally:
        connection.close()


def wrongs(business: Business) -> Iterator[str]:
    """Yield differences from the log, and broken invariants."""
    status, hand = replayed(business)
    for row in BusinessProduct.objects.of(business):
        if row.status != status.get(row.product, ProductStatus.NONE):
            yield f"{row.product} is {row.status}, and the log says {status.get(row.product)}"
    for setting in ModuleSetting.objects.of(business):
        if setting.hand != hand.get(setting.module, ""):
            yield f"the hand setting of {setting.module} is {setting.hand}, nobody set it so"
    may = [
        key
        for key in PRODUCTS
        if status.get(key) == ProductStatus.APPROVED and hand.get(key) != HandSetting.OFF
    ]
    for grant in Grant.objects.of(business).exclude(status=GrantStatus.CLOSED):
        if grant.products != may:
            yield f"{grant.products} are open where {may} may be"
    module_sync.sync(business, by=SYSTEM)
    if module_sync.preview(business) or module_sync.sync(business, by=SYSTEM):
        yield "a second sync changed something"


def replayed(business: Business) -> tuple[dict[str, str], dict[str, str]]:
    """Return each product's status and each module's manual setting, from the log only."""
    status: dict[str, str] = {}
    hand: dict[str, str] = {}
    told = history.fitting(HistoryQuery(business_id=business.public_id))
    for line in reversed(list(history.lines(told))):
        after, about = line.body["after"], line.body["details"]
        assert about.get("reason") != CUT_OFF, "What was cut off stands in the log."
        if line.code.startswith("product."):
            status[about["product"]] = after["status"]
        if line.code in ("module_setting.set_by_hand", "module_setting.released"):
            assert after["reason"] != CUT_OFF
            hand[about["module"]] = after["hand"]
    return status, hand


@pytest.mark.django_db(transaction=True)
@proof("R17", "hand settings, syncs and approvals at once", small=20, full=10_000)
def test_no_sync_changes_a_hand_setting_and_no_scope_opens_unapproved(proven: Proven):
    chance, wrong, cut = random.Random(proven.size), [], 0
    with ThreadPoolExecutor(TOGETHER) as pool:
        for number in range(proven.size):
            if number % ON_ONE_BUSINESS == 0:
                databases.empty_tables()
                people, business = everybody(), world.a_grant(products=()).business
                world.a_grant(products=())  # another grant, which a sync of all also reaches
            steps = [drawn(business, people, chance) for _ in range(STEPS)]
            list(pool.map(take, steps))
            cut += sum(bool(step.cut) for step in steps)
            wrong += list(wrongs(business))
    figure = f"{proven.size:,} interleavings, {cut:,} steps cut off, {len(wrong)} wrong"
    proven.reached(figure, met=not wrong and cut > 0, wrong=wrong)
