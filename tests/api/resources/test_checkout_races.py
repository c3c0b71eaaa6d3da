"""Checkout sessions under eight writers: payments, duplicates, expiry, cancellation, late money."""

import json
import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

from django.db import Error
from django.db.models import Count, Sum

from api.payments import checkout_payments, checkout_sessions
from api.payments.lifecycle import CHECKOUT_LIFECYCLE
from api.payments.models import Balance, CheckoutSession, Deposit, LedgerEntry
from apikeys.webhooks.models import PublicEvent
from console.accounts.actors import SYSTEM
from console.core import clock
from console.core.refusals import Refused
from tests.api import checkouts
from tests.apikeys import world
from tests.proofs import Proven, proof
from tests.waiting import at_once

WRITERS, CALLS_OF_A_SESSION = 8, 8
AMOUNT = 10_000


def decides(session: CheckoutSession, verb: Callable[..., Deposit]) -> None:
    held = session.payments.select_related("business", "checkout_session").order_by("?").first()
    if held is not None:
        verb(held, by=SYSTEM)


def times_out(session: CheckoutSession) -> None:
    CheckoutSession.objects.filter(pk=session.pk).update(
        expires_at=clock.now() - timedelta(seconds=1)
    )
    checkout_sessions.settle(session)


def a_call(session: CheckoutSession, dice: random.Random) -> Callable[[], object]:
    """Return one random call; references are few, so that many are duplicates."""
    reference = f"{session.pk}-{dice.randrange(4)}"
    if dice.random() < 0.1:
        reference = f"shared-{dice.randrange(20)}"
    amount = dice.choice([1, 2_500, 5_000, AMOUNT, 2 * AMOUNT])
    calls: list[tuple[int, Callable[[], object]]] = [
        (60, lambda: checkouts.pays(session, amount, provider_reference=reference)),
        (5, lambda: checkouts.pays(session, amount, provider_reference=reference, currency="USD")),
        (8, lambda: times_out(session)),
        (6, lambda: checkout_sessions.cancel(session, by=SYSTEM)),
        (7, lambda: decides(session, checkout_payments.accept)),
        (7, lambda: decides(session, checkout_payments.give_back)),
        (4, lambda: decides(session, checkout_payments.reverse)),
        (3, lambda: checkout_sessions.settle_due(session.business_id)),
    ]
    weights, choices = zip(*calls, strict=True)
    return dice.choices(choices, weights)[0]


@proof(
    "R6",
    "checkout sessions under 8 writers",
    small=640,
    full=5_600,
    asked="0 duplicates, 0 wrong sums, 1 terminal event each, 0 deadlocks",
)
def test_racing_calls_leave_every_sum_right(proven: Proven):
    grant = world.a_grant(products=("checkout", "balances"))
    started = {one.currency: one.available for one in Balance.objects.all()}
    dice = random.Random(20_260_829)
    sessions = [
        checkouts.a_session(grant.business, amount=AMOUNT)
        for _ in range(proven.size // CALLS_OF_A_SESSION)
    ]
    calls = [a_call(one, dice) for one in sessions for _ in range(CALLS_OF_A_SESSION)]
    dice.shuffle(calls)

    def does(share: int) -> Counter[str]:
        seen: Counter[str] = Counter()
        for call in calls[share::WRITERS]:
            try:
                call()
                seen["done"] += 1
            except Refused as refused:
                seen[f"refused: {refused.code}"] += 1
            except Error as error:
                seen[f"broken: {error}"] += 1
        return seen

    outcomes = sum(at_once(WRITERS, does), Counter())

    wrong = [one for one in outcomes if one.startswith("broken")]
    wrong += duplicates() + wrong_sums(started) + wrong_ends()
    figure = f"{len(calls)} calls, {len(sessions)} sessions, {len(wrong)} wrong: {dict(outcomes)}"
    proven.reached(figure, met=not wrong and outcomes["done"] > len(calls) // 2, wrong=wrong)


def duplicates() -> list[str]:
    references = Deposit.objects.values("provider_reference").annotate(times=Count("pk"))
    booked = LedgerEntry.objects.filter(from_account="external").exclude(type="opening")
    twice = booked.values("source").annotate(times=Count("pk")).filter(times__gt=1)
    return [
        *(f"reference {one}" for one in references.filter(times__gt=1)),
        *(f"booked {one}" for one in twice),
    ]


def wrong_sums(started: dict[str, int]) -> list[str]:
    """Compare sessions, deposits and balances with each other."""
    wrong = []
    for session in CheckoutSession.objects.filter(status__in=["awaiting_payment", "underpaid"]):
        applied = session.payments.filter(is_applied=True)
        counted = applied.aggregate(minor=Sum("amount"))["minor"] or 0
        reversed_late = session.payments.filter(not_applied="reversed").exists()
        if session.received != counted and not (session.status == "underpaid" and reversed_late):
            wrong.append(f"{session.public_id}: received {session.received}, counted {counted}")
    for balance in Balance.objects.all():
        of_currency = Deposit.objects.filter(currency=balance.currency)
        sums = {
            status: of_currency.filter(status=status).aggregate(minor=Sum("amount"))["minor"] or 0
            for status in ("settled", "held")
        }
        if balance.available - started[balance.currency] != sums["settled"]:
            wrong.append(f"{balance.currency}: available is not what was settled")
        if balance.pending != sums["held"]:
            wrong.append(f"{balance.currency}: pending is not what is held")
    return wrong


def wrong_ends() -> list[str]:
    """Compare each session with its events: one end, that of its status, and no gap."""
    events: dict[str, list[dict[str, object]]] = {}
    for row in PublicEvent.objects.filter(kind__startswith="checkout_session.").order_by("pk"):
        events.setdefault(row.resource_id, []).append(json.loads(bytes(row.body)))
    wrong = []
    for session in CheckoutSession.objects.all():
        told = sorted(events[session.public_id], key=lambda one: int(str(one["sequence"])))
        kinds = [str(one["type"]).removeprefix("checkout_session.") for one in told]
        ends = [kind for kind in kinds if kind in CHECKOUT_LIFECYCLE.final]
        expected = [] if session.is_open else [session.status]
        gapless = [one["sequence"] for one in told] == list(range(1, len(told) + 1))
        if ends != expected or not gapless or kinds.count("pending") > 1:
            wrong.append(f"{session.public_id} is {session.status}: {kinds}")
    return wrong
