"""What a call costs: through the whole gateway, against a bare view and peers (rulings, section 4).

Each round measures the two sides of every ratio one right after the other, so that a busy machine
slows both. Of each the processor time of the server's process for one answer is kept; a figure is
the median of the rounds' ratios. Requests a second are printed beside it and depend on the machine.
"""

import json
import statistics
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks import load
from benchmarks.answer import PAYOUT
from benchmarks.place import Place, opened, other_core
from benchmarks.report import Row

CONNECTIONS = 16
_WRONG = "svc_test_AAAAAAAAAAAAAAAA:" + "A" * 49


@dataclass(frozen=True)
class Variant:
    """One thing to measure: a path, a header, and the status that it must answer."""

    name: str
    path: str
    authorization: str = ""
    status: int = 200
    more: tuple[str, ...] = ()
    body: str = ""
    source: str = "127.0.0.1"

    def request(self) -> bytes:
        method = "POST" if self.body else "GET"
        lines = [f"{method} {self.path} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
        if self.authorization:
            lines.append(f"Authorization: {self.authorization}")
        if self.body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        return ("\r\n".join([*lines, *self.more]) + f"\r\n\r\n{self.body}").encode()


@dataclass(frozen=True)
class Sample:
    """One round of one variant."""

    per_second: float
    microseconds: float


# Row id, what it says, the variant, what it is compared with, and the ratio to reach.
GOALS = (
    ("me/bare", "/me, whole gateway : bare view", "me", "bare", 1.4),
    (
        "me/default",
        "/me, whole gateway : bare view behind default middleware",
        "me",
        "default",
        2.2,
    ),
    ("me/drf", "/me, whole gateway : bare view of REST framework", "me", "drf", 2.8),
    ("me/api-key", "/me, whole gateway : drf-api-key", "me", "api-key", 9.0),
    ("me/knox", "/me, whole gateway : knox", "me", "knox", 15.0),
    ("me/strict", "/me, no cache, exact limit : bare view", "strict", "bare", 0.50),
    ("balances/bare", "/balances, whole gateway : bare view", "balances", "bare", 0.70),
    ("refused/missing", "401 without a key : bare view", "missing", "bare", 2.5),
    ("refused/wrong", "401 with a wrong key : bare view", "wrong", "bare", 2.5),
    ("refused/flood", "429 in a flood of wrong keys : bare view", "flood", "bare", 2.5),
    # A proven key has cost everything but the answer when its scope is looked at.
    ("refused/scope", "403 of a proven key : bare view", "scope", "bare", 1.4),
    ("post/bare", "POST with nothing stored : bare view", "post", "bare", 0.38),
    (
        "payout/bare",
        "financial POST : the same transaction in a bare view",
        "payout",
        "transaction",
        0.72,
    ),
)
# What the machine makes of one thing that is measured twice.
CONTROL = "bare/bare"


def measure(*, rounds: int = 9, seconds: float = 0.7) -> list[Row]:
    """Start a server, measure every pair in alternating rounds, and return the ratios."""
    with opened("benchmarks.server:application") as place:
        variants = {variant.name: variant for variant in _variants(place.keys)}
        for variant in variants.values():
            _sample(place, variant, 0.5)
        pairs = {row: pair for row, _, *pair, _ in GOALS} | {CONTROL: ["bare", "bare"]}
        samples: dict[str, list[Sample]] = defaultdict(list)
        ratios: dict[str, list[float]] = defaultdict(list)
        for _ in range(rounds):
            for row, pair in pairs.items():
                if row == CONTROL:
                    # PostgreSQL still writes what the pair before has paid: nobody's cost here.
                    _sample(place, variants["bare"], seconds)
                ours, theirs = (_sample(place, variants[name], seconds) for name in pair)
                ratios[row].append(theirs.microseconds / ours.microseconds)
                for name, sample in zip(pair, (ours, theirs), strict=True):
                    samples[name].append(sample)
    _print(samples)
    print(f"The bare view against itself: {_spread(ratios[CONTROL])}\n")
    return [_row(row, what, ratios[row], goal) for row, what, _, _, goal in GOALS]


def _row(row: str, what: str, ratios: list[float], goal: float) -> Row:
    met = statistics.median(ratios) >= goal
    return Row(row, what, _spread(ratios), f">= {goal:g}", met)


def _spread(ratios: list[float]) -> str:
    """Say the median of the rounds, with the least and the most of them."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _variants(keys: dict[str, str]) -> list[Variant]:
    ours, wrong = f"Bearer {keys['ours']}", f"Bearer {_WRONG}"
    once = ("Idempotency-Key: measured-again-and-again",)
    each = (f"Idempotency-Key: measured-{load.NUMBER.decode()}",)
    payer, payout = f"Bearer {keys['payer']}", json.dumps(PAYOUT)
    return [
        Variant("bare", "/bare"),
        Variant("default", "/default"),
        Variant("me", "/sandbox/v1/me", ours),
        Variant("strict", "/strict/sandbox/v1/me", ours, more=once),
        Variant("balances", "/sandbox/v1/balances", ours),
        Variant("drf", "/drf"),
        Variant("api-key", "/api-key", f"Api-Key {keys['api_key']}"),
        Variant("knox", "/knox", f"Token {keys['knox']}"),
        Variant("missing", "/sandbox/v1/me", status=401),
        Variant("wrong", "/sandbox/v1/me", wrong, status=401),
        Variant("scope", "/sandbox/v1/me", f"Bearer {keys['unscoped']}", status=403),
        Variant("post", "/posted/sandbox/v1/payouts", payer, 201, body=payout),
        Variant("payout", "/sandbox/v1/payouts", payer, 201, each, payout),
        Variant("transaction", "/transaction", payer, 201, each, payout),
        # From another address: this gateway counts failures as strictly as the real one.
        Variant("flood", "/guarded/sandbox/v1/me", wrong, status=429, source="127.0.0.2"),
    ]


def _sample(place: Place, variant: Variant, seconds: float) -> Sample:
    order = {
        "port": place.port,
        "request": variant.request().decode(),
        "source": variant.source,
        "connections": CONNECTIONS,
        "seconds": seconds,
        "core": other_core(),
    }
    before = _processor_time(place.server)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", json.dumps(order)],
        capture_output=True,
        check=True,
    )
    spent = _processor_time(place.server) - before
    said = json.loads(done.stdout)
    if said["status"] != variant.status:
        raise SystemExit(f"{variant.name} answered {said['status']}, not {variant.status}.")
    return Sample(said["answered"] / said["seconds"], spent / said["answered"] / 1000)


def _processor_time(process: int) -> int:
    """Return the nanoseconds that all threads of a process have run."""
    times = []
    for thread in Path(f"/proc/{process}/task").iterdir():
        try:
            times.append(int((thread / "schedstat").read_text().split()[0]))
        except FileNotFoundError:
            continue
    return sum(times)


def _print(samples: dict[str, list[Sample]]) -> None:
    print(f"{'variant':<12}{'requests/s':>12}{'server us':>12}")
    for name, rounds in samples.items():
        per_second = statistics.median(one.per_second for one in rounds)
        microseconds = statistics.median(one.microseconds for one in rounds)
        print(f"{name:<12}{per_second:>12,.0f}{microseconds:>12.1f}")
