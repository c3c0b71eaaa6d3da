"""Lets the dispatcher deliver in a throw-away database, and prints what it took as JSON."""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
from console.launch.valkey import Broker  # noqa: E402

HEALTHY, DEAD, WARM, SIZE, RECEIVERS = 5_000, 20_000, 500, 1024, 10
ROUNDS = 3
# Of the peer, which is slow, fewer.
TASKS = 600
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
    """Return the seconds of processor time that a process and its children have had."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(cpu(int(child)) for child in children)


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


@contextlib.contextmanager
def broker() -> Iterator[None]:
    """A broker for the peer, where the settings say that there is one."""
    socket = Path(os.environ["BROKER_URL"].removeprefix("redis+socket://"))
    at = Broker(socket.parent / "broker", socket.parent)
    at.prepare()
    process = subprocess.Popen(at.command(), stdout=subprocess.DEVNULL)
    while not at.socket.exists():
        time.sleep(0.05)
    try:
        yield
    finally:
        process.terminate()
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


def by_dispatcher(pid: int, to: list[int], mark: str) -> tuple[float, float]:
    """Return the seconds that the dispatcher took, and its processor time of one delivery."""
    before = cpu(pid)
    queue(to, HEALTHY, mark)
    took = drained(to)
    time.sleep(0.5)
    return took, (cpu(pid) - before) / HEALTHY * 1e6


def by_loop(words: list[str]) -> float:
    """Return the processor time of one delivery by a loop that does nothing else."""
    done = subprocess.run(
        [*words, str(SIZE), str(HEALTHY)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def by_tasks(to: list[int]) -> float:
    """Return the seconds of processor time of one delivery, sent by a Celery task of its own."""
    from benchmarks import tasks  # it reads the broker's address when it is loaded

    words = "--quiet worker --pool prefork --without-gossip --without-mingle --loglevel ERROR"
    with running(
        "-m", "celery", "-A", "benchmarks.tasks", *words.split(), "-c", str(tasks.PROCESSES)
    ) as worker:
        queue(to, WARM, "learnt")
        post(tasks.deliver)
        drained(to)
        before = cpu(worker.pid)
        queue(to, TASKS, "task")
        post(tasks.deliver)
        drained(to)
        return (cpu(worker.pid) - before) / TASKS


def post(task: Any) -> None:
    """Hand every delivery that waits to a task."""
    for delivery in QueuedDelivery.objects.values_list("public_id", flat=True):
        task.delay(delivery)


def main() -> None:
    with running("-m", "benchmarks.receiving") as receiver:
        assert receiver.stdout is not None
        taking, silent = receiver.stdout.readline().split()
        healthy, dead = make(taking, silent)
        bare = [sys.executable, "-m", "benchmarks.posting", f"http://127.0.0.1:{taking}/"]
        said: dict[str, Any] = {"healthy": HEALTHY, "dead": DEAD, "costs": []}
        with running("manage.py", "deliver") as dispatcher:
            while not DispatcherHeartbeat.objects.exists():
                time.sleep(0.05)
            said["rest_mib"] = rest(dispatcher.pid)
            queue(healthy, WARM, "warm")
            drained(healthy)
            alone = []
            for number in range(ROUNDS):
                took, cost = by_dispatcher(dispatcher.pid, healthy, f"alone{number}")
                alone.append(took)
                # One right after the other, so that a busy machine slows both.
                said["costs"].append((cost, by_loop(bare)))
            queue(dead, DEAD, "dead")
            time.sleep(2)
            beside = [
                by_dispatcher(dispatcher.pid, healthy, f"beside{number}")[0]
                for number in range(ROUNDS)
            ]
            said |= {"alone": statistics.median(alone), "beside": statistics.median(beside)}
        QueuedDelivery.objects.all().delete()
        with broker():
            said["task_us"] = by_tasks(healthy) * 1e6
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
