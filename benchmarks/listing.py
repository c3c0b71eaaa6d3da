"""Fills lists of two businesses, few rows and many, and prints how their first pages compare."""

import io
import json
import os
import statistics
import sys
import time
from datetime import timedelta
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from django.apps import apps  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402

from api import rate_limits  # noqa: E402
from api.sandbox.models import OwnedObject  # noqa: E402
from api.v1.operations import TABLE  # noqa: E402
from apikeys.grants import grants  # noqa: E402
from apikeys.keys import keys  # noqa: E402
from apikeys.lifecycle import Environment, GrantStatus  # noqa: E402
from apikeys.models import Grant  # noqa: E402
from benchmarks.unlimited import UNLIMITED  # noqa: E402
from console.accounts.actors import SYSTEM  # noqa: E402
from console.accounts.models import Business, Membership, User  # noqa: E402
from console.accounts.roles import Role  # noqa: E402
from console.catalogue.definitions import PRODUCTS  # noqa: E402
from console.core import clock  # noqa: E402

_serve: Any = WSGIHandler()
FEW, MANY = 100, 100_000
ROUNDS = 60
# Those whose example needs nothing that is made before, with and without a status that may be due.
PATHS = ("/payouts", "/customers", "/beneficiaries", "/cardholders", "/inventory", "/payroll/runs")


class Client:
    """A business that may do everything in the sandbox, and its key."""

    def __init__(self, name: str) -> None:
        business = Business.objects.create(name=name)
        person = User.objects.create_user(f"{name.lower()}@example.com", name=name)
        Membership.objects.create(user=person, business=business, role=Role.OWNER)
        with transaction.atomic():
            grant = Grant.objects.create(business=business, environment=Environment.SANDBOX)
            grant.products, grant.tier, grant.opened_at = list(PRODUCTS), "LOW", clock.now()
            grant = grants.move(grant, GrantStatus.OPEN, by=SYSTEM)
        ends = clock.now() + timedelta(days=90)
        scopes = [scope for product in PRODUCTS.values() for scope in product.scopes]
        _, minted = keys.issue(grant, name=name, scopes=scopes, expires_at=ends, by=person)
        self._plain = minted.plain

    def ask(self, method: str, path: str, query: str = "", body: bytes = b"") -> dict[str, Any]:
        statuses = []
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": f"/sandbox/v1{path}",
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_AUTHORIZATION": f"Bearer {self._plain}",
            "HTTP_IDEMPOTENCY_KEY": f"listing-{path}",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }
        answer = b"".join(_serve(environ, lambda status, _: statuses.append(status)))
        if int(statuses[0][:3]) >= 400:
            raise SystemExit(f"{method} {path}: {answer.decode()}")
        said: dict[str, Any] = json.loads(answer)
        return said

    def fill(self, path: str, rows: int) -> None:
        """Make one row as the documentation does, and as many copies of it as are missing."""
        (row,) = (one for one in TABLE.operations if (one.method, one.path) == ("POST", path))
        made = self.ask("POST", path, body=json.dumps(row.example.body).encode())
        _copy(made["id"], rows - 1)

    def seconds(self, path: str, rows: int) -> float:
        """Return how long the first page takes."""
        began = time.perf_counter()
        said = self.ask("GET", path, "limit=100")
        took = time.perf_counter() - began
        if len(said["data"]) != 100 or said["has_more"] != (rows > 100):
            raise SystemExit(f"{path} has other rows than it was filled with.")
        return took


def _copy(public_id: str, copies: int) -> None:
    """Copy a row so many times, each a second older, under ids of their own."""
    model = next(
        one
        for one in apps.get_models()
        if issubclass(one, OwnedObject)
        and one._base_manager.filter(models.Q(("public_id", public_id))).exists()
    )
    own = {
        "public_id": "public_id || '-' || n",
        "created_at": "created_at - n * interval '1 s'",
        # No row begins otherwise, and without a moment to settle at it stays so.
        "status": "'pending'",
    }
    names = [str(one.column) for one in model._meta.concrete_fields if not _is_made(one)]
    values = ", ".join(own.get(name, name) for name in names)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table},"
            " generate_series(1, %s) AS n WHERE public_id = %s",
            [copies, public_id],
        )


def _is_made(field: "models.Field[Any, Any]") -> bool:
    return isinstance(field, models.AutoField)


def main() -> None:
    rate_limits.RATE_LIMITS = UNLIMITED
    few, many = Client("Few"), Client("Many")
    ratios = {}
    for path in PATHS:
        few.fill(path, FEW)
        many.fill(path, MANY)
        pairs = [(few.seconds(path, FEW), many.seconds(path, MANY)) for _ in range(ROUNDS)]
        small, large = (statistics.median(side) for side in zip(*pairs, strict=True))
        ratios[path] = large / small
    sys.stdout.write(json.dumps({"few": FEW, "many": MANY, "ratios": ratios}))


if __name__ == "__main__":
    main()
