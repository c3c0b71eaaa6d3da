"""What a webhook costs to send, and whether a dead receiver delays others (design: engine)."""

import json
import statistics

from benchmarks.place import said_by
from benchmarks.report import Row

COST, TASKS, DELAY, REST = 1.9, 8.0, 1.3, 60.0


def measure() -> list[Row]:
    """Deliver beside a bare loop, beside a receiver that never answers, and at rest."""
    said = json.loads(said_by("benchmarks.delivering"))
    engine, bare = (statistics.median(side) for side in zip(*said["costs"], strict=True))
    costs = [ours / theirs for ours, theirs in said["costs"]]
    cost, tasks = statistics.median(costs), said["task_us"] / engine
    delay = said["beside"] / said["alone"]
    return [
        Row(
            "deliveries/cost",
            "dispatcher : bare aiohttp loop, processor time of one signed delivery",
            f"{cost:.2f} ({min(costs):.2f} to {max(costs):.2f}; {engine:.0f} : {bare:.0f} µs)",
            f"<= {COST:g}",
            cost <= COST,
        ),
        Row(
            "deliveries/tasks",
            "a Celery task for each delivery : dispatcher, processor time",
            f"{tasks:.1f} ({said['task_us']:.0f} : {engine:.0f} µs)",
            f">= {TASKS:g}",
            tasks >= TASKS,
        ),
        Row(
            "deliveries/fair",
            f"{said['healthy']:,.0f} beside {said['dead']:,.0f} of a dead receiver : alone",
            f"{delay:.2f} ({said['beside']:.1f} : {said['alone']:.1f} s)",
            f"<= {DELAY:g}",
            delay <= DELAY,
        ),
        Row(
            "deliveries/rest",
            "dispatcher at rest, MiB (PSS)",
            f"{said['rest_mib']:.1f}",
            f"<= {REST:g}",
            said["rest_mib"] <= REST,
        ),
    ]
