"""Webhook cost: sending a delivery, and whether a receiver that never answers delays others."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.db import connection

from apikeys.webhooks.models import DispatcherHeartbeat, QueuedDelivery
from benchmarks.report import Row, ratio
from console.launch.valkey import Broker
from tests import factories
from tests.apikeys.webhooks.world import an_endpoint

HEALTHY, DEAD, WARM, SIZE, RECEIVERS = 5_000, 20_000, 500, 1024, 10
ROUNDS = 3
# Fewer for the peer, which is slow.
TASKS = 200
CHEAPER, DELAY = 8.0, 1.3
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
    """Queue this many deliveries, spread over some endpoints."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, {"endpoints": to, "count": count, "mark": mark, "size": SIZE})


def drained(to: list[int]) -> float:
    """Return the seconds until these endpoints have no waiting deliveries."""
    begun = time.monotonic()
    while QueuedDelivery.objects.filter(endpoint__in=to).exists():
        time.sleep(0.02)
    return time.monotonic() - begun


def cpu(pid: int) -> float:
    """Return the CPU seconds used by a process and its children."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(cpu(int(child)) for child in children)


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
    """Start a broker for the peer if the settings name one."""
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
    """Create the endpoints: working ones, and a dead one of the same business."""
    business = factories.a_business()
    keys = [
        an_endpoint(business, url=f"http://127.0.0.1:{port}/{number}", verified=True)[0].pk
        for number, port in enumerate([*[taking] * RECEIVERS, silent])
    ]
    return keys[:RECEIVERS], keys[RECEIVERS:]


def by_dispatcher(pid: int, to: list[int], mark: str) -> tuple[float, float]:
    """Return the seconds the dispatcher took, and its CPU time per delivery."""
    before = cpu(pid)
    queue(to, HEALTHY, mark)
    took = drained(to)
    time.sleep(0.5)
    return took, (cpu(pid) - before) / HEALTHY


def by_tasks(to: list[int]) -> list[float]:
    """Return the CPU time per delivery sent by its own Celery task, for each round."""
    from benchmarks import tasks  # imported here because it needs the broker's address

    words = "--quiet worker --pool prefork --without-gossip --without-mingle --loglevel ERROR"
    with running(
        "-m", "celery", "-A", "benchmarks.tasks", *words.split(), "-c", str(tasks.PROCESSES)
    ) as worker:
        queue(to, WARM, "learnt")
        post(tasks.deliver)
        drained(to)
        costs = []
        for number in range(ROUNDS):
            before = cpu(worker.pid)
            queue(to, TASKS, f"task{number}")
            post(tasks.deliver)
            drained(to)
            costs.append((cpu(worker.pid) - before) / TASKS)
    return costs


def post(task: Any) -> None:
    """Enqueue a task for every waiting delivery."""
    for delivery in QueuedDelivery.objects.values_list("public_id", flat=True):
        task.delay(delivery)


def measure() -> list[Row]:
    """Deliver with the dispatcher, alone and next to a dead receiver; then with a task for each."""
    with running("-m", "benchmarks.receiving") as receiver:
        assert receiver.stdout is not None
        healthy, dead = make(*receiver.stdout.readline().split())
        with running("manage.py", "deliver") as dispatcher:
            while not DispatcherHeartbeat.objects.exists():
                time.sleep(0.05)
            queue(healthy, WARM, "warm")
            drained(healthy)
            alone = [by_dispatcher(dispatcher.pid, healthy, f"alone{n}") for n in range(ROUNDS)]
            queue(dead, DEAD, "dead")
            time.sleep(2)
            beside = [by_dispatcher(dispatcher.pid, healthy, f"beside{n}") for n in range(ROUNDS)]
        QueuedDelivery.objects.all().delete()
        with broker():
            tasks = by_tasks(healthy)
    cheaper = [task / ours for task, (_, ours) in zip(tasks, alone, strict=True)]
    delays = [slow / quick for (slow, _), (quick, _) in zip(beside, alone, strict=True)]
    return [
        ratio(
            "delivery/task",
            f"processor time of a Celery task for each delivery : of the dispatcher "
            f"({min(tasks) * 1e6:,.0f} : {min(ours for _, ours in alone) * 1e6:,.0f} µs)",
            cheaper,
            least=CHEAPER,
        ),
        ratio(
            "delivery/fair",
            f"{HEALTHY:,} beside {DEAD:,} of a dead receiver : alone",
            delays,
            most=DELAY,
        ),
    ]
