"""Financial operations with many concurrent and killed writers keep the sums right."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.apps import apps
from django.db.models import Count

from api.operations import Operation
from api.payments import reconciliation
from api.payments.lifecycle import DisbursementStatus
from api.payments.models import Account, Balance, Disbursement, LedgerEntry
from api.v1.router import OPERATIONS
from console.accounts.actors import SYSTEM
from tests.api.asking import Client, a_client
from tests.api.forks import Forks
from tests.proofs import Proven, proof

FINANCIAL = [row for row in OPERATIONS if row.financial]
DISBURSEMENTS = [model for model in apps.get_models() if issubclass(model, Disbursement)]
MAGIC = ("00", "17", "41", "43", "44", "45")
MOST_WRITERS = 8
QUOTE = "/sandbox/v1/quotes"


class Writer:
    """Posts at random, kills half of the processes, and repeats some requests."""

    def __init__(self, seed: int, plain: str, asked: list[tuple[Operation, str, Any]]) -> None:
        self.chance, self.seed, self.plain, self.asked = random.Random(seed), seed, plain, asked
        self.killed, self.reached = 0, set[str]()
        self.forks = Forks()

    def write(self, calls: int) -> "Writer":
        try:
            self.forks.post(self.plain, f"warm-{self.seed:06}", 0)
            measured = self.forks.post(self.plain, f"measured-{self.seed:06}", 10**9)
            for number in range(calls):
                self._call(number, measured["said"]["lines"])
        finally:
            self.forks.close()
        return self

    def _call(self, number: int, lines: int) -> None:
        row, path, body = self.chance.choice(self.asked)
        changed = dict(body)
        if "quote_id" in changed:
            changed["quote_id"] = self._quote(number)
        elif "amount" in changed:
            whole = body["amount"].partition(".")[0]
            changed["amount"] = f"{whole}.{self.chance.choice(MAGIC)}"
        key = f"{self.seed:03}-{row.name}-{self.chance.randrange(number // 2 + 1):06}"
        line = self.chance.randrange(1, lines) if self.chance.random() < 0.5 else 0
        said = self.forks.post(self.plain, key, line, changed, f"/sandbox/v1{path}")
        self.killed += bool(said["killed"])
        if said["said"] and said["said"]["status"] == row.status:
            self.reached.add(row.name)

    def _quote(self, number: int) -> str:
        quoted = {"amount": f"15.{self.chance.choice(MAGIC)}", "from": "USD", "to": "NGN"}
        said = self.forks.post(self.plain, f"{self.seed:03}-quote-{number:06}", 0, quoted, QUOTE)
        return str(said["said"]["id"])


def wrongly_moved(model: type[Disbursement]) -> list[tuple[str, str, int]]:
    """Return rows whose number of entries does not match their status."""
    found = []
    for row in model._default_manager.all():
        entries = LedgerEntry.objects.filter(source=row.public_id).count()
        brings = row.proceeds is not None and row.status == DisbursementStatus.COMPLETED
        if entries != (1 if row.status == DisbursementStatus.PENDING else 2) + brings:
            found.append((row.public_id, row.status, entries))
    return found


def waiting_otherwise() -> list[tuple[str, str, int, int]]:
    """Return balances whose pending or reserved money does not match their open rows."""
    expected: dict[tuple[int, str, str], int] = {}
    for model in DISBURSEMENTS:
        for row in model._default_manager.filter(status=DisbursementStatus.PENDING):
            _, waits, _ = row.route
            where = (row.business_id, row.pays.currency, str(waits))
            expected[where] = expected.get(where, 0) + row.pays.minor
    return [
        (one.currency, account, getattr(one, account), wanted)
        for one in Balance.objects.all()
        for account in (str(Account.PENDING), str(Account.RESERVED))
        if getattr(one, account)
        != (wanted := expected.get((one.business_id, one.currency, account), 0))
    ]


@proof(
    "R6",
    "random financial calls of several writers, half of them killed",
    small=32,
    full=10_000,
    asked="0 balances and 0 rows that are not what their entries say",
)
def test_the_sums_hold_whatever_is_killed(api, proven: Proven):
    client = Client(api, a_client())
    asked = [(row, client.path_of(row), client.body_of(row)) for row in FINANCIAL]
    writers = min(MOST_WRITERS, max(2, proven.size // 100))
    each = proven.size // writers
    with ThreadPoolExecutor(writers) as pool:
        done = list(
            pool.map(lambda seed: Writer(seed, client.plain, asked).write(each), range(writers))
        )
    reconciliation.reconcile(by=SYSTEM)

    killed = sum(one.killed for one in done)
    reached = set[str]().union(*(one.reached for one in done))
    unreconciled = Balance.objects.filter(last_reconciled_at=None, removed_at=None).count()
    wrong: list[object] = [one for model in DISBURSEMENTS for one in wrongly_moved(model)]
    wrong += waiting_otherwise()
    wrong += Balance.objects.exclude(stopped_at=None).values_list("currency", flat=True)
    twice = LedgerEntry.objects.values("source", "from_account", "currency").annotate(n=Count("pk"))
    wrong += list(twice.filter(n__gt=1).exclude(source=None).exclude(source=""))
    figure = (
        f"{each * writers:,} calls of {writers} writers, {killed:,} killed,"
        f" {len(reached)} of {len(FINANCIAL)} operations done, {len(wrong)} wrong"
    )
    proven.reached(figure, met=not wrong and not unreconciled and killed > 0, wrong=wrong)
