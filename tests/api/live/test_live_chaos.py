"""Real workers against the reference provider, both killed: each instruction is executed once."""

import sqlite3
import threading
import time
from collections import Counter
from datetime import UTC
from decimal import Decimal

import pytest
from django.test import override_settings

from api.payments.models import Balance, Payout, ProviderBreak, ProviderInstruction
from console.core import clock
from tests.api.live.world import a_live_key, pay, post_account
from tests.proofs import Proven, proof
from tests.providers.reference import ReferenceProvider
from tests.services import Services
from tests.waiting import at_once, eventually

WRITERS = 8
# Decimals by which the reference provider fails, loses an answer, doubles and reorders events, and
# answers 500.
ENDINGS = ("00", "07", "44", "46", "47", "48", "49")


def amount_of(number: int) -> str:
    return f"{number % 90 + 1}.{ENDINGS[number % len(ENDINGS)]}"


@pytest.mark.services
@proof("live", "live money out, both sides killed", small=42, full=5_000)
def test_each_instruction_is_executed_once(
    api, unlimited, services: Services, tmp_path, proven: Proven
) -> None:
    provider = ReferenceProvider(tmp_path, services.url, PROVIDER_NAME="bank")
    try:
        with override_settings(LIVE_PROVIDERS=provider.toml):
            services.start("broker", "worker", "beat", "web", LIVE_PROVIDERS=provider.toml)
            grant, plain = a_live_key()
            account = post_account(api, plain)
            eventually(
                lambda: ProviderInstruction.objects.filter(
                    public_id=account, status="completed"
                ).exists()
            )
            form = f"amount={proven.size * 100}.00&payer_name=Payer&source_reference="
            assert provider.press(f"pay/{account}", form) == 200
            balances = Balance.objects.filter(
                business=grant.business, environment="live", currency="NGN"
            )
            eventually(lambda: balances.get().available > 0)

            def write(writer: int) -> None:
                for number in range(writer, proven.size, WRITERS):
                    reply = pay(api, plain, amount_of(number))
                    assert reply.status == 201, reply.body

            writing = threading.Thread(target=at_once, args=(WRITERS, write))
            writing.start()
            kills = 0
            while writing.is_alive() or kills < 2:
                time.sleep(1)
                if kills % 2:
                    provider.kill()
                    provider.start()
                else:
                    services.kill("worker")
                    services.start("worker", LIVE_PROVIDERS=provider.toml)
                kills += 1
            writing.join()
            mine = ProviderInstruction.objects.filter(kind="payout")
            eventually(
                lambda: not mine.exclude(status__in=["completed", "failed"]).exists(),
                within=600,
                every=0.5,
            )
            day = clock.now().astimezone(UTC).date()
            path = f"/statements/NGN/{day}?business={grant.business.public_id}"
            status, statement = provider.call("GET", path)
    finally:
        provider.kill()

    assert status == 200
    moved = Counter(one["object"] for one in statement["movements"] if one["object"])
    completed = set(Payout.objects.filter(status="completed").values_list("public_id", flat=True))
    twice = [name for name, times in moved.items() if times > 1]
    ledger = Decimal(balances.get().total.decimal())
    agrees = Decimal(statement["closing"]) == ledger and moved.keys() == completed
    wrong = [*twice, *moved.keys() ^ completed, *ProviderBreak.objects.all()]
    with sqlite3.connect(provider.environment["PROVIDER_DATA"]) as books:
        (asked,) = books.execute("SELECT count(*) FROM objects").fetchone()
    figure = f"{mine.count():,} instructions, {kills} kills, {len(twice)} executed twice"
    everything = mine.count() == proven.size == Payout.objects.count() == asked - 1
    proven.reached(figure, met=agrees and not wrong and everything, wrong=wrong)
