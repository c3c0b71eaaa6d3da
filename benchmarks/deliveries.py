"""What a webhook costs to send, and whether a dead receiver delays others (design: engine)."""

import json

from benchmarks.place import said_by
from benchmarks.report import Row

COST, TASKS, DELAY, REST = 1.9, 8.0, 1.3, 60.0


def measure() -> list[Row]:
    """Deliver beside a bare loop, beside a receiver that never answers, and at rest."""
    said = json.loads(said_by("benchmarks.delivering"))
    cost = said["engine_us"] / said["bare_us"]
    tasks = said["task_us"] / said["engine_us"]
    delay = said["beside_a_dead_one"] / said["alone"]
    return [
        Row(
            "deliveries/cost",
            "dispatcher : bare aiohttp loop, processor time of one signed delivery",
            f"{cost:.2f} ({said['engine_us']:.0f} : {said['bare_us']:.0f} µs)",
            f"<= {COST:g}",
            cost <= COST,
        ),
        Row(
            "deliveries/tasks",
            "a Celery task for each delivery : dispatcher, processor time",
            f"{tasks:.1f} ({said['task_us']:.0f} : {said['engine_us']:.0f} µs)",
            f">= {TASKS:g}",
            tasks >= TASKS,
        ),
        Row(
            "deliveries/fair",
            f"{said['healthy']:,.0f} beside {said['dead']:,.0f} of a dead receiver : alone",
            f"{delay:.2f} ({said['beside_a_dead_one']:.1f} : {said['alone']:.1f} s)",
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
