"""List cost: the first page with very many rows, compared to the same page with few."""

import json
import os
from functools import partial
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, connections, models

from api.demo import load
from apikeys.webhooks import probing
from benchmarks import list_pages
from benchmarks.list_pages import ListPage
from benchmarks.report import Row, ratio
from benchmarks.wsgi_calls import call, lift_limits, seconds
from console.catalogue.definitions import PRODUCTS
from console.core import schedule
from tests.api.asking import EXAMPLES
from tests.apikeys.world import a_grant, a_key

FEW, MANY = 100, int(os.environ.get("BUSINESSES", "100000"))
# With fewer businesses, the shortest of the lists would not fill its first page.
FEW_BUSINESSES = 2_000
ROUNDS, PAGE_ROUNDS, AIM = 40, 9, 1.5
# Jobs that seal, download or call others.
ELSEWHERE = ("agreements.check_seal", "agreements.watch_seal", "screening.download", probing.JOB)
API_LISTS = ("payouts", "customers", "inventory")
# Connection for inserting the rows, without triggers and foreign-key checks.
FILL = "fill"
FEW_DATABASE = "few"


def measure() -> list[Row]:
    """Read first pages alternately, with few and with many rows."""
    lift_limits()
    return [*_pages(), _jobs(), *_api_lists()]


def _api_lists() -> list[Row]:
    keys = []
    for _ in range(2):
        grant = a_grant(products=tuple(PRODUCTS))
        scopes = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
        keys.append(f"Bearer {a_key(grant, scopes=scopes)[1]}")
    rows = []
    for name in API_LISTS:
        address, body = f"/sandbox/v1/{name}", EXAMPLES[f"{name}.create"]
        pages = []
        for key, count in zip(keys, (FEW, MANY), strict=True):
            made = json.loads(call("POST", address, authorization=key, body=body))["id"]
            copy(_row(made), count, status="'pending'")
            pages.append(partial(call, "GET", address, query="limit=100", authorization=key))
        few, many = pages
        vacuum()
        rows.append(_ratio(f"/{name}", FEW, [seconds(many) / seconds(few) for _ in range(ROUNDS)]))
    return rows


def _pages() -> list[Row]:
    """Measure pages in two databases: one with the first load only, and this one with both."""
    many_database = connection.settings_dict["NAME"]
    _generate(FEW_BUSINESSES)
    vacuum()
    connections.close_all()
    _as_superuser(f'CREATE DATABASE {FEW_DATABASE} TEMPLATE "{many_database}"')
    _generate(MANY - FEW_BUSINESSES)
    vacuum()
    many = list_pages.every()
    _use(FEW_DATABASE)
    few = list_pages.every()
    rows = []
    for name in few:
        ratios = []
        for _ in range(PAGE_ROUNDS):
            _use(FEW_DATABASE)
            small = _seconds(few[name])
            _use(many_database)
            ratios.append(_seconds(many[name]) / small)
        rows.append(_ratio(name, FEW_BUSINESSES, ratios))
    return rows


def _seconds(page: ListPage) -> float:
    name = settings.SESSION_COOKIE_NAME
    cookie = f"{name}={page.client.cookies[name].value}"
    path, _, query = page.path.partition("?")
    work = partial(call, "GET", path, query=query, cookie=cookie)
    work()  # connects
    return seconds(work)


def _jobs() -> Row:
    """Measure the slowest job of every minute that needs nothing but the database."""
    jobs = [job for job in schedule.jobs() if not job.nightly and job.name not in ELSEWHERE]
    taken = {job.name: seconds(job.run) for job in jobs}
    slowest = max(taken, key=lambda name: taken[name])
    figure = f"{slowest}: {taken[slowest]:.2f} s"
    return Row(
        "jobs", f"slowest of every minute, {MANY:,} rows", figure, "< 1 s", taken[slowest] < 1
    )


def _generate(count: int) -> None:
    fill = connections[FILL]
    fill.ensure_connection()
    load.generate(fill.connection, count, lambda said: None)


def _use(database: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = database


def _as_superuser(statement: str) -> None:
    fill = connections[FILL]
    was, fill.settings_dict["NAME"] = fill.settings_dict["NAME"], "postgres"
    with fill.cursor() as cursor:
        cursor.execute(statement)
    fill.close()
    fill.settings_dict["NAME"] = was


def _ratio(name: str, few: int, ratios: list[float]) -> Row:
    return ratio(f"list {name}", f"first page of {MANY:,} rows : of {few:,}", ratios, most=AIM)


def _row(public_id: str) -> models.Model:
    """Return the row with that public id, of any model."""
    named = (one for one in apps.get_models() if hasattr(one, "public_id"))
    found = (one._base_manager.filter(models.Q(("public_id", public_id))).first() for one in named)
    return next(row for row in found if row is not None)


def copy(row: models.Model, count: int, **own: Any) -> None:
    """Insert copies of a row, until there are `count`: each older and with its own IDs.

    `own` is SQL for further columns, if the table has them; `n` is the number of the copy.
    """
    back, key = "- n * interval '1 ms'", f"{row.pk} * 1000000::bigint + n"
    own = {
        "id": key,
        "public_id": f"'copy-' || {key}",
        "created_at": f"created_at {back}",
    } | own
    names = [str(field.column) for field in row._meta.concrete_fields]
    values = ", ".join(own.get(name, f'"{name}"') for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    table = row._meta.db_table
    with connections[FILL].cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table},"
            " generate_series(1, %s::int) AS n WHERE id = %s",
            [count - 1, row.pk],
        )


def vacuum() -> None:
    with connections[FILL].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
