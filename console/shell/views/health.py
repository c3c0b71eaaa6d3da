"""Liveness and readiness endpoints."""

from http import HTTPStatus

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.core.page_policies import PagePolicy, declared


@declared(PagePolicy("public"))
def live(request: HttpRequest) -> HttpResponse:
    """Respond if the process is alive. Checks nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


@declared(PagePolicy("public"))
def ready(request: HttpRequest) -> JsonResponse:
    """Respond with 200 if the database is reachable and fully migrated, else 503."""
    found = {"database": _database(), "migrations": _migrations()}
    good = all(found.values())
    return JsonResponse(found, status=HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _migrations() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return False
