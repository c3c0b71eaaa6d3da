"""List cost: the first page with very many rows, compared to the same page with few."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections, models
from django.test import Client
from django.urls import reverse

from agreements.models import Pack, Revision
from apikeys.models import RequestLog
from benchmarks.bodies import CUSTOMER, ITEM, PAYOUT
from benchmarks.report import Row, ratio
from benchmarks.wsgi_calls import call, lift_limits, seconds
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.audit.models import Entry
from console.catalogue.definitions import PRODUCTS
from console.core import clock
from onboarding.models import Application, Submission
from tests import factories
from tests.apikeys.world import a_grant, a_key

# Inserts copies of rows, numbered from the first argument up to the second.
Fill = Callable[[int, int], None]

FEW, MANY = 100, 100_000
ROUNDS, AIM = 40, 1.5
API_LISTS = {"/payouts": PAYOUT, "/customers": CUSTOMER, "/inventory": ITEM}
ANSWERS = '{"body": {"answers": {"li_legal_name": "Acme Limited"}}}'
# Connection for inserting the rows, without triggers and foreign-key checks.
FILL = "fill"


def measure() -> list[Row]:
    """Read first pages alternately (API), or before and after inserting the rows (staff pages)."""
    lift_limits()
    return [*_api_lists(), *_staff_pages()]


def _api_lists() -> list[Row]:
    keys = []
    for _ in range(2):
        grant = a_grant(products=tuple(PRODUCTS))
        scopes = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
        keys.append(f"Bearer {a_key(grant, scopes=scopes)[1]}")
    rows = []
    for path, body in API_LISTS.items():
        pages = []
        for key, count in zip(keys, (FEW, MANY), strict=True):
            address = f"/sandbox/v1{path}"
            made = json.loads(call("POST", address, authorization=key, body=body))["id"]
            copy(_row(made), 1, count, status="'pending'")
            pages.append(partial(call, "GET", address, query="limit=100", authorization=key))
        few, many = pages
        vacuum()
        rows.append(_ratio(path, [seconds(many) / seconds(few) for _ in range(ROUNDS)]))
    return rows


def _staff_pages() -> list[Row]:
    person = factories.one_of_staff(Role.COMPLIANCE)
    client = factories.signed_in(Client(), person)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    business = factories.a_business()
    lists: dict[str, tuple[str, Fill]] = {
        "staff's queue": (reverse("onboarding:review_queue"), _cases(business, person)),
        "packs": (reverse("agreements:packs"), _packs(business)),
        "request log": (reverse("api:staff_log", args=[business.public_id]), _calls(business)),
        "audit log": (reverse("governance:log"), partial(copy, Entry.objects.latest("pk"))),
    }
    rows = []
    for name, (path, fill) in lists.items():
        page = partial(call, "GET", path, cookie=cookie)
        fill(1, FEW)
        vacuum()
        few = [seconds(page) for _ in range(ROUNDS)]
        fill(FEW, MANY)
        vacuum()
        many = [seconds(page) for _ in range(ROUNDS)]
        rows.append(_ratio(name, [large / small for small, large in zip(few, many, strict=True)]))
    return rows


def _ratio(name: str, ratios: list[float]) -> Row:
    return ratio(f"list {name}", f"first page of {MANY:,} rows : of {FEW}", ratios, most=AIM)


def _cases(business: Business, person: User) -> Fill:
    """Return a filler that inserts applications waiting for review, each of its own business."""
    case = _application(business, status="submitted")
    submission = Submission.objects.using(FILL).create(
        pk=case.submission_id, application_id=case.pk, number=1, edition="1", body=ANSWERS,
        submitted_by_id=person.pk, submitted_at=case.started_at,
    )  # fmt: skip

    def fill(start: int, stop: int) -> None:
        copy(business, start, stop)
        copy(submission, start, stop, application_id=_copied(case))
        own = {"business_id": _copied(business), "submission_id": _copied(submission)}
        copy(case, start, stop, **own)

    return fill


def _packs(business: Business) -> Fill:
    """Return a filler that inserts packs waiting for approval, each of its own application."""
    case = _application(business, status="cleared", withdrawn_at=clock.now(), assessment_id=1)
    members = {"application_id": case.pk, "status": "in_approval", "tier": "LOW"}
    pack = Pack.objects.using(FILL).create(business_id=business.pk, number="AGP", **members)
    revision = Revision.objects.using(FILL).create(pack_id=pack.pk, number=1)
    Pack.objects.using(FILL).filter(pk=pack.pk).update(revision_id=revision.pk)

    def fill(start: int, stop: int) -> None:
        copy(case, start, stop)
        copy(revision, start, stop, pack_id=_copied(pack))
        own = {"application_id": _copied(case), "revision_id": _copied(revision)}
        copy(pack, start, stop, number="'AGP-' || n", **own)

    return fill


def _calls(business: Business) -> Fill:
    row = RequestLog.objects.create(
        at=clock.now(), request_id="req_1", business=business, environment="sandbox", method="GET",
        path="/me", status=200, microseconds=900,
    )  # fmt: skip
    return partial(copy, row)


def _application(business: Business, **members: Any) -> Application:
    now = clock.now()
    return Application.objects.using(FILL).create(
        business_id=business.pk, edition="1", submitted_at=now, submission_id=1, **members
    )


def _row(public_id: str) -> models.Model:
    """Return the row with that public id, of any model."""
    named = (one for one in apps.get_models() if hasattr(one, "public_id"))
    found = (one._base_manager.filter(models.Q(("public_id", public_id))).first() for one in named)
    return next(row for row in found if row is not None)


def copy(row: models.Model, start: int, stop: int, **own: str) -> None:
    """Insert copies `start` to `stop` of a row, each a millisecond older and with its own ids.

    `own` is SQL for further columns, if the table has them; `n` is the number of the copy.
    """
    back = "- n * interval '1 ms'"
    own = {
        "id": _copied(row),
        "public_id": f"'copy-' || {_copied(row)}",
        "created_at": f"created_at {back}",
        "submitted_at": f"submitted_at {back}",
        "at": f"at {back}",
    } | own
    names = [str(field.column) for field in row._meta.concrete_fields]
    values = ", ".join(own.get(name, f'"{name}"') for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    table = row._meta.db_table
    with connections[FILL].cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table},"
            " generate_series(%s::int, %s::int) AS n WHERE id = %s",
            [start, stop - 1, row.pk],
        )


def _copied(row: models.Model) -> str:
    """Return SQL for the primary key of copy `n` of a row."""
    return f"{row.pk} * 1000000::bigint + n"


def vacuum() -> None:
    with connections[FILL].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
