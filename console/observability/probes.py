"""`/livez` and `/readyz`, for proxies and orchestrators.

Both answer to any host name or none, over plain HTTP, and are not logged. Only this host gets the
reasons; the log has each new one.
"""

import pkgutil
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from time import monotonic

import structlog
from django.apps import apps
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.core import addresses, blobs, isolation
from console.core.middleware import GetResponse

# Return why something does not work, as words without secrets, or "".
ProblemReader = Callable[[], str]

# Seconds for which a process repeats its last answer, so that anybody may ask often.
_KEEP = 5.0
_THIS_HOST = ("127.0.0.0/8", "::1/128")
_requirements: dict[str, ProblemReader] = {}
_warnings: dict[str, ProblemReader] = {}
log = structlog.get_logger(__name__)


def register_requirement(name: str, probe: ProblemReader) -> None:
    """Add a line to /readyz whose problem means 503. Called from AppConfig.ready()."""
    _requirements[name] = probe


def register_warning(name: str, probe: ProblemReader) -> None:
    """Add a line to /readyz that does not change its status. Called from AppConfig.ready()."""
    _warnings[name] = probe


class ProbesMiddleware:
    """Answers the probes before the host and TLS are checked."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self._known: tuple[dict[str, str], bool] = {}, False
        self._until = 0.0
        self._asking = Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info == "/livez":
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path_info == "/readyz":
            return self._ready(request)
        return self.get_response(request)

    def _ready(self, request: HttpRequest) -> HttpResponse:
        """Respond with 200 if this process can serve pages, else with 503.

        Strangers do not learn which part fails.
        """
        # One thread asks; the others get the last answer, because a store may take long to answer.
        if monotonic() > self._until and self._asking.acquire(blocking=False):
            try:
                before, (self._known, self._until) = self._known, (report(), monotonic() + _KEEP)
                _log_new(before[0], self._known[0])
            finally:
                self._asking.release()
        said, is_ready = self._known
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        if addresses.is_within(addresses.client_ip(request), _THIS_HOST):
            return JsonResponse(said, status=status)
        return JsonResponse({"ready": is_ready}, status=status)


def _log_new(before: dict[str, str], said: dict[str, str]) -> None:
    for name, problem in said.items():
        if problem not in ("ok", before.get(name)):
            log.warning("not_well", part=name, why=problem)


def report() -> tuple[dict[str, str], bool]:
    """Return “ok” or the problem of everything that is checked, and whether pages can be served."""
    problems = {"database": ""}
    try:
        problems |= {"migrations": _migrations()}
        if not problems["migrations"]:
            readers = _requirements | _warnings
            problems |= {name: probe() for name, probe in readers.items()}
    except DatabaseError as error:
        problems["database"] = f"The database does not answer ({type(error).__name__})."
    required = ("database", "migrations", *_requirements)
    is_ready = not any(problems.get(name) for name in required)
    # All hosts share the store: without it, each still serves the pages that need no file.
    problems |= {"storage": _storage(), "isolation": isolation.problem()}
    return {name: problem or "ok" for name, problem in problems.items()}, is_ready


def _migrations() -> str:
    missing = _known_migrations() - MigrationRecorder(connection).applied_migrations().keys()
    return f"{len(missing)} migrations are not applied." if missing else ""


@cache
def _known_migrations() -> frozenset[tuple[str, str]]:
    """Return the migrations of the installed apps by their files, without importing them."""
    return frozenset(
        (app.label, module.name)
        for app in apps.get_app_configs()
        for module in pkgutil.iter_modules([str(Path(app.path) / "migrations")])
        if not module.ispkg and module.name[0] not in "_~"
    )


def _storage() -> str:
    try:
        blobs.check_writable()
    except Exception as error:  # noqa: BLE001  # each kind of storage has errors of its own
        cause = error.__cause__ or error
        why = getattr(cause, "strerror", None) or type(cause).__name__
        return f"The document store cannot be written to ({why})."
    return ""
