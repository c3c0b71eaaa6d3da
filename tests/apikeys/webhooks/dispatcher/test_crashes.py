"""A killed dispatcher loses nothing and leaves all counters right."""

import asyncio
import random
from collections import Counter
from functools import partial

import pytest
from django.db.models import Sum

from apikeys.webhooks.models import DeliveryAttempt, DeliveryLane, QueuedDelivery, WebhookDelivery
from tests.apikeys.webhooks.dispatcher.conftest import HERE, an_endpoint, ended, happen
from tests.apikeys.webhooks.dispatcher.receiver import OK, Heard, Receiver
from tests.proofs import Proven, is_full, proof
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services
ENDPOINTS = 3


async def slowly(heard: Heard, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.1)
    writer.write(OK)


def start(services: Services, **variables: str) -> None:
    services.start(
        "deliver", **HERE, WEBHOOK_TIMEOUT_SECONDS="1", WEBHOOK_SANDBOX_RATE="100000", **variables
    )


@proof(
    "R21",
    "dispatchers killed while they send",
    small=150,
    full=20_000,
    asked="20 kills over 20,000: each at least once, none lost, no counter wrong",
)
def test_killed_dispatchers_lose_nothing(services: Services, receiver: Receiver, proven: Proven):
    kills = 20 if is_full() else 3
    business = None
    for number in range(ENDPOINTS):
        receiver.replies[f"/{number}"] = slowly
        business = an_endpoint(receiver, f"/{number}", business=business).business
    assert business is not None
    happen(business, proven.size // ENDPOINTS)
    start(services)
    dice = random.Random(7)
    for kill in range(1, kills + 1):
        some = proven.size * kill // (kills + 2) + dice.randrange(20)
        eventually(partial(receiver.has, some))
        services.kill("deliver")
        start(services)

    ended(proven.size // ENDPOINTS * ENDPOINTS)

    lost = WebhookDelivery.objects.exclude(status="delivered").count()
    copies = Counter(one.headers["Service-Delivery-Id"] for one in receiver.heard)
    wrong = DeliveryLane.objects.exclude(in_flight=0).count()
    twice = sum(copies.values()) - len(copies)
    unknown = DeliveryAttempt.objects.filter(error__startswith="outcome unknown").count()
    proven.reached(
        f"{len(copies):,} deliveries, {kills} kills: {lost} lost, {twice} sent again, "
        f"{unknown} of unknown outcome, {wrong} counters wrong",
        met=not lost
        and not wrong
        and unknown > 0
        and not QueuedDelivery.objects.exists()
        and len(copies) == proven.size // ENDPOINTS * ENDPOINTS
        and "lanes_corrected" not in services.log_of("deliver").read_text(),
    )


def test_two_dispatchers_share_the_work_and_send_each_once(services: Services, receiver: Receiver):
    other = Services()
    start(services)
    start(other)
    try:
        business = an_endpoint(receiver, "/a").business
        an_endpoint(receiver, "/b", business=business)
        happen(business, 40)
        ended(80)
    finally:
        other.stop_all()
    assert len({one.headers["Service-Delivery-Id"] for one in receiver.heard}) == 80
    assert len(receiver.heard) == 80
    assert DeliveryLane.objects.aggregate(all=Sum("in_flight"))["all"] == 0


def test_it_ends_what_is_under_way_when_it_is_told_to_stop(services: Services, receiver: Receiver):
    receiver.replies["/a"] = slowly
    start(services)
    happen(an_endpoint(receiver, "/a").business, 4)
    eventually(lambda: receiver.heard)
    services.stop("deliver")
    assert services.processes["deliver"].returncode == 0
    leased = QueuedDelivery.objects.filter(lease__isnull=False)
    assert not leased.exists()
    assert not DeliveryLane.objects.exclude(in_flight=0).exists()
