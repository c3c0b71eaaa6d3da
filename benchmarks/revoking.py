"""Revokes keys while worker processes are called with them, and prints the delays in milliseconds.

A delay is from the return of the commit to the first refusal of the worker that refuses last.
"""

import json
import multiprocessing
import os
import sys
import time
from datetime import timedelta
from multiprocessing.connection import Connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from api.gateway.gateway import Gateway  # noqa: E402
from api.v1.operations import TABLE  # noqa: E402
from apikeys.keys import keys  # noqa: E402
from apikeys.models import Grant  # noqa: E402
from benchmarks.unlimited import UNLIMITED  # noqa: E402
from benchmarks.world import fill  # noqa: E402
from console.accounts.models import Membership  # noqa: E402
from console.core import clock  # noqa: E402

WORKERS, TRIALS = 2, 100


def work(pipe: Connection) -> None:
    """Call with each key that comes, on and on, until it is refused; tell when that was."""
    gateway = Gateway(TABLE, UNLIMITED)
    statuses: list[int] = []

    def start(status: str, _: object) -> None:
        statuses[:] = [int(status[:3])]

    def call(plain: str) -> int:
        gateway(
            {
                "REQUEST_METHOD": "GET",
                "PATH_INFO": "/sandbox/v1/me",
                "QUERY_STRING": "",
                "HTTP_HOST": "127.0.0.1",
                "REMOTE_ADDR": "127.0.0.1",
                "HTTP_AUTHORIZATION": f"Bearer {plain}",
            },
            start,
        )
        return statuses[0]

    while plain := pipe.recv():
        # Until the listener is heard of, nothing is kept in memory, and the delay would be none.
        while call(plain) != 200 or plain.partition(":")[0] not in gateway.records._kept:
            time.sleep(0.001)
        pipe.send("warm")
        while call(plain) == 200:
            pass
        pipe.send(time.monotonic())
    gateway.close()


def main() -> None:
    context = multiprocessing.get_context("spawn")
    pipes = []
    workers = []
    for _ in range(WORKERS):
        ours, theirs = context.Pipe()
        workers.append(context.Process(target=work, args=(theirs,), daemon=True))
        workers[-1].start()
        pipes.append(ours)
    fill()
    grant = Grant.objects.get()
    owner = Membership.objects.get(business=grant.business).user
    delays = []
    for trial in range(TRIALS):
        life = clock.now() + timedelta(days=30)
        key, minted = keys.issue(
            grant, name=f"Trial {trial}", scopes=["balances:read"], expires_at=life, by=owner
        )
        for pipe in pipes:
            pipe.send(minted.plain)
        for pipe in pipes:
            pipe.recv()
        keys.revoke(key, reason="Measured.", by=owner)
        committed = time.monotonic()
        refused = [pipe.recv() for pipe in pipes]
        delays.append(max(0.0, (max(refused) - committed) * 1000))
    for pipe in pipes:
        pipe.send("")
    for worker in workers:
        worker.join()
    sys.stdout.write(json.dumps(delays))


if __name__ == "__main__":
    main()
