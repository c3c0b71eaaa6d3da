"""Each thread of a web process that works on a request finds a connection in the pool."""

import os
import subprocess
import sys

from console.launch.check import PRODUCTION

# Of every mount, the threads that work at once: a file that waits in line holds no connection.
_COUNTED = """
import os, sys
os.sched_getaffinity = lambda _: set(range(int(sys.argv[1])))
from console import asgi
from django.db import connection
print(sum(mount.at_once for mount in asgi._mounts), connection.pool.max_size)
"""


def test_the_pool_has_a_connection_for_each() -> None:
    environment = dict(os.environ) | PRODUCTION | {"DB_POOL": "10"}
    environment |= {"DATABASE_OWNER_URL": "", "DJANGO_SETTINGS_MODULE": "console.settings"}
    said = subprocess.run(
        [sys.executable, "-c", _COUNTED, "8"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert said.stdout.split() == ["12", "12"]
