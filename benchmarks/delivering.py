"""Lets the dispatcher deliver in a throw-away database, and prints what it took as JSON."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")
os.environ |= {
    "WEBHOOK_ALLOW_HTTP": "1",
    "WEBHOOK_EGRESS_ALLOW_CIDRS": "127.0.0.1/32",
    "WEBHOOK_SANDBOX_RATE": "1000000",
    "WEBHOOK_TIMEOUT_SECONDS": "1",
}

import django

django.setup()

from django.db import connection  # noqa: E402

from apikeys.lifecycle import Environment  # noqa: E402
from apikeys.webhooks import endpoints  # noqa: E402
from apikeys.webhooks.lifecycle import Verification  # noqa: E402
from apikeys.webhooks.models import (  # noqa: E402
    DispatcherHeartbeat,
    QueuedDelivery,
    WebhookEndpoint,
)
from benchmarks.world import fill  # noqa: E402
from console.accounts.models import Membership  # noqa: E402
from console.core import clock  # noqa: E402

HEALTHY, DEAD, WARM, SIZE, RECEIVERS = 5_000, 20_000, 500, 1024, 10
_QUEUE = """
WITH event AS (
  INSERT INTO webhooks_publicevent
    (public_id, business_id, environment, kind, resource_id, sequence, body, created_at)
  SELECT 'evt_' || %(mark)s || n, e.business_id, 'sandbox', 'fact.told', 'res_' || n, 1,
    convert_to('{' || repeat(' ', %(size)s - 2) || '}', 'UTF8'), now()
  FROM webhooks_webhookendpoint AS e, generate_series(1, %(count)s) AS n
  WHERE e.id = (%(endpoints)s)[1]
), kept AS (
  INSERT INTO webhooks_webhookdelivery
    (public_id, endpoint_id, event_id, event_created_at, event_kind, kind, status, attempts,
     created_at)
  SELECT 'whd_' || %(mark)s || n, (%(endpoints)s)[1 + n %% array_length(%(endpoints)s, 1)],
    'evt_' || %(mark)s || n, now(), 'fact.told', 'normal', 'pending', 0, now()
  FROM generate_series(1, %(count)s) AS n
)
INSERT INTO webhooks_queueddelivery
  (public_id, endpoint_id, event_id, event_created_at, resource_id, kind, created_at, attempts,
   due_at)
SELECT 'whd_' || %(mark)s || n, (%(endpoints)s)[1 + n %% array_length(%(endpoints)s, 1)],
  'evt_' || %(mark)s || n, now(), 'res_' || n, 'normal', now(), 0, now()
FROM generate_series(1, %(count)s) AS n
"""


def queue(to: list[int], count: int, mark: str) -> None:
    """Queue so many deliveries, spread over some endpoints."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, {"endpoints": to, "count": count, "mark": mark, "size": SIZE})


def drained(to: list[int]) -> float:
    """Return the seconds until nothing waits for those endpoints any more."""
    begun = time.monotonic()
    while QueuedDelivery.objects.filter(endpoint__in=to).exists():
        time.sleep(0.02)
    return time.monotonic() - begun


def cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has had."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def rest(pid: int) -> float:
    """Return what a process adds to the memory in use, in MiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


@contextlib.contextmanager
def running(*words: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def make(taking: str, silent: str) -> tuple[list[int], list[int]]:
    """Make the endpoints: those that take everything, and the dead one of the same business."""
    fill()
    member = Membership.objects.get()
    assert member.business is not None
    made = []
    for number, port in enumerate([*[taking] * RECEIVERS, silent]):
        url = f"http://127.0.0.1:{port}/{number}"
        endpoint, _ = endpoints.create(
            member.business, Environment.SANDBOX, url=url, enabled_events=["*"], by=member.user
        )
        made.append(endpoint.pk)
    WebhookEndpoint.objects.update(verification=Verification.VERIFIED, verified_at=clock.now())
    return made[:RECEIVERS], made[RECEIVERS:]


def main() -> None:
    with running("-m", "benchmarks.receiving") as receiver:
        assert receiver.stdout is not None
        taking, silent = receiver.stdout.readline().split()
        healthy, dead = make(taking, silent)
        bare = [sys.executable, "-m", "benchmarks.posting", f"http://127.0.0.1:{taking}/"]
        said: dict[str, float] = {"healthy": HEALTHY, "dead": DEAD}
        with running("manage.py", "deliver") as dispatcher:
            while not DispatcherHeartbeat.objects.exists():
                time.sleep(0.05)
            said["rest_mib"] = rest(dispatcher.pid)
            queue(healthy, WARM, "warm")
            drained(healthy)
            before = cpu(dispatcher.pid)
            queue(healthy, HEALTHY, "alone")
            said["alone"] = drained(healthy)
            time.sleep(0.5)
            said["engine_us"] = (cpu(dispatcher.pid) - before) / HEALTHY * 1e6
            done = subprocess.run(
                [*bare, str(SIZE), str(HEALTHY)], capture_output=True, text=True, check=True
            )
            said["bare_us"] = float(done.stdout)
            queue(dead, DEAD, "dead")
            time.sleep(2)
            queue(healthy, HEALTHY, "beside")
            said["beside_a_dead_one"] = drained(healthy)
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
