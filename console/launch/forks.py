"""Processes that are copies of this one, so that they share the memory of everything imported."""

import atexit
import gc
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, NoReturn

from console.core.processes import end_with_parent

# What our processes import, some of it only with their first task or connection.
_SHARED = (
    *("console.wsgi", "console.events.tasks"),
    *("gunicorn.app.wsgiapp", "console.gunicorn_worker"),
    *("celery.bin.celery", "celery.apps.worker", "celery.apps.beat", "celery.app.amqp"),
    *("celery.concurrency.prefork", "celery.worker.components", "celery.worker.consumer.consumer"),
    *("kombu.transport.redis", "apikeys.webhooks.dispatcher.dispatcher"),
    *("agreements.sealing.seals", "agreements.sealing.pdf_seal", "lxml.etree"),
)
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def preload(environment: Mapping[str, str]) -> None:
    """Import everything that is shared, with these settings. Opens no connection, starts no thread.

    The garbage collector ignores the imported objects from now on: it would write into them, and
    each process would get a copy.
    """
    os.environ.clear()  # it may contain the owner's URL
    os.environ.update(environment)
    import django

    django.setup()
    from console.observability import exporter

    # Before console.wsgi imports Prometheus's client, which needs the folder.
    exporter.prepare()
    for name in _SHARED:
        import_module(name)
    from console.celery import app

    app.finalize()
    gc.collect()
    gc.freeze()


class Fork:
    """A copy of this process that calls a function; has the methods of Popen that we use."""

    def __init__(self, name: str, run: Callable[[], object], output: BinaryIO) -> None:
        self.returncode: int | None = None
        parent = os.getpid()
        # A signal before the copy has handlers of its own would be lost.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        self.pid = os.fork()
        if self.pid == 0:
            _live(name, run, output, parent)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def poll(self) -> int | None:
        """Return the exit status as Popen does, or None while the process runs."""
        return self._ended(os.WNOHANG)

    def wait(self) -> int:
        """Wait for the end, and return the exit status."""
        status = self._ended(0)
        assert status is not None
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def _ended(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _live(name: str, run: Callable[[], object], output: BinaryIO, parent: int) -> NoReturn:
    """Call the function as a program of its own, and end without returning to the parent's code."""
    status = 1
    try:
        _become_a_program(name, output)
        if os.getppid() == parent:  # still there
            run()
        status = 0
    except SystemExit as asked:
        status = asked.code if isinstance(asked.code, int) else int(asked.code is not None)
    except BaseException:  # noqa: BLE001  # the parent's handlers must not see it
        traceback.print_exc()
    finally:
        # What the interpreter does when a program ends.
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)


def _become_a_program(name: str, output: BinaryIO) -> None:
    """Get a session, a name and files of our own, and the usual reaction to signals."""
    os.setsid()
    end_with_parent()
    Path("/proc/self/comm").write_text(name)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), output.fileno())):
        os.dup2(file, number)
    os.dup2(output.fileno(), 2)
    # The parent's lock of the data folder would outlive it here.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
