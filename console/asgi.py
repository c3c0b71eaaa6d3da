"""The ASGI entry point, which the web server starts: console and API, with threads of their own."""

from console.wsgi import application as both  # first of all: it sets Django up

# isort: split
import resource
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from console.core import addresses, queues
from console.core.queues import Queue
from console.server.bodies import ReceivedBodies
from console.server.environ import Environ
from console.server.mounts import Mount, MountedApplications, in_thread
from console.server.pools import ThreadPool
from console.server.responses import RawResponse
from console.server.shared_queue import SharedQueue
from console.server.unserved import Busy, Unserved
from console.shell import headers
from console.shell import unserved as pages
from console.shell.readable import LARGEST

THREADS, WAITING = 4, 100
_OPEN_FILES = 65_536
# Its bodies are files: with those of the console and the API, a process keeps 1 GiB at most.
_KEPT_OF_A_QUEUE = 512 * 1024**2


def _everything(method: str, path: str) -> bool:
    return True


def _queue(queue: Queue) -> Mount:
    folder = Path(settings.DATA_DIR) / "queues" / queue.path.strip("/")
    shared = SharedQueue(folder, lanes=queue.at_once, waiting=queue.waiting)
    # All that the machine lets in may be of this process.
    pool = ThreadPool(queue.path, threads=queue.at_once + queue.waiting, waiting=0)
    refuse = partial(_refuse_from, queue)
    bodies = ReceivedBodies(most=_KEPT_OF_A_QUEUE)
    begin = in_thread(both.console)
    return Mount(queue.takes, begin, pool, queue.largest, refuse, bodies, shared)


def _refuse_from(queue: Queue, environ: Environ, unserved: Unserved) -> RawResponse:
    if isinstance(unserved, Busy):
        return pages.page(environ, 429, queue.heading, queue.words, queue.retry_after)
    return pages.refuse(environ, unserved)


def _console() -> Mount:
    pool = ThreadPool("console", threads=THREADS, waiting=WAITING)
    return Mount(_everything, in_thread(both.console), pool, LARGEST, pages.refuse)


def _allow_many_connections() -> None:
    """An idle connection costs a file and nothing else; what is usual would be used up by 1,000."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _OPEN_FILES if most == resource.RLIM_INFINITY else min(most, _OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))


def _pool_enough(mounts: Iterable[Mount]) -> None:
    """Let each thread that works on a request have a connection: none waits for another's end."""
    if pool := connection.settings_dict["OPTIONS"].get("pool"):
        pool["max_size"] = max(pool["max_size"], sum(mount.at_once for mount in mounts))


_allow_many_connections()
_mounts = [
    # Named by string: the console may not import the packages above it.
    import_string("api.wsgi.mount")(both, THREADS, WAITING),
    *map(_queue, queues.declared()),
    _console(),
]
_pool_enough(_mounts)
application = MountedApplications(
    _mounts,
    is_proxy=addresses.is_proxy,
    close=both.close,
    always=headers.of_every_answer(),
)
