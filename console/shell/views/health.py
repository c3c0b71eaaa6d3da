"""Is the process alive, and is it ready to serve?"""

from http import HTTPStatus

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.core.page_policies import PagePolicy, declared


@declared(PagePolicy("public"))
def live(request: HttpRequest) -> HttpResponse:
    """The process answers. Nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


@declared(PagePolicy("public"))
def ready(request: HttpRequest) -> JsonResponse:
    """The database answers and has every migration."""
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
