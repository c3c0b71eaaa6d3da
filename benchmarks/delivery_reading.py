"""Fills two endpoints, few attempts and many, and prints how the pages of deliveries compare.

`python -m benchmarks.delivery_reading fill ENDPOINT ROWS` writes so many deliveries with an attempt
each for one endpoint (`whe_...`) of the database that the environment names.
"""

import json
import os
import statistics
import sys
import time
from datetime import timedelta
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402

from apikeys.grants import grants  # noqa: E402
from apikeys.lifecycle import Environment, GrantStatus  # noqa: E402
from apikeys.models import Grant  # noqa: E402
from apikeys.webhooks import deliveries, endpoints  # noqa: E402
from apikeys.webhooks.models import WebhookEndpoint  # noqa: E402
from console.accounts.actors import SYSTEM  # noqa: E402
from console.accounts.models import Business, Membership, User  # noqa: E402
from console.accounts.roles import Role  # noqa: E402
from console.catalogue.definitions import PRODUCTS  # noqa: E402
from console.core import clock, day_partitions  # noqa: E402

FEW, MANY = 10_000, 1_000_000
ROUNDS = 40
# Over so many days, as they lie in a console that has run for a while.
DAYS = 20
_TABLES = ("webhooks_webhookdelivery", "webhooks_deliveryattempt_live")

# A delivery begins as pending; reading one costs the same whatever its status.
_FILL = """
WITH made AS (
  INSERT INTO webhooks_webhookdelivery
    (public_id, endpoint_id, event_id, event_created_at, event_kind, kind, status, attempts,
     created_at)
  SELECT 'whd_' || %(endpoint)s || '_' || n, %(endpoint)s, 'evt_' || %(endpoint)s || '_' || n, at,
    'transfer.completed', 'normal', 'pending', 1, at
  FROM (SELECT n, %(now)s - (n * %(seconds)s / %(rows)s) * interval '1 s' AS at
        FROM generate_series(1, %(rows)s) AS n) AS moments
  RETURNING public_id, created_at
)
INSERT INTO webhooks_deliveryattempt
  (delivery_id, environment, number, at, status, error, signed_with, total_us, excerpt)
SELECT public_id, 'live', 1, created_at, 200, '', 'current', 41000, 'ok' FROM made
"""


def fill(endpoint: WebhookEndpoint, rows: int) -> None:
    """Write so many deliveries with an attempt each, spread over the last days."""
    now = clock.now()
    with connection.cursor() as cursor:
        for table in _TABLES:
            for ago in range(DAYS + 1):
                cursor.execute(day_partitions.SETTLE, [table, (now - timedelta(days=ago)).date()])
        given: dict[str, Any] = {
            "endpoint": endpoint.pk,
            "rows": rows,
            "now": now,
            "seconds": DAYS * 86_400.0,
        }
        cursor.execute(_FILL, given)


class Reader:
    """A business with one live endpoint, and its owner at the console."""

    def __init__(self, name: str, rows: int) -> None:
        self.business = Business.objects.create(name=name)
        person = User.objects.create_user(f"{name.lower()}@example.com", name=name)
        Membership.objects.create(user=person, business=self.business, role=Role.OWNER)
        with transaction.atomic():
            grant = Grant.objects.create(business=self.business, environment=Environment.SANDBOX)
            grant.products, grant.tier, grant.opened_at = list(PRODUCTS), "LOW", clock.now()
            grants.move(grant, GrantStatus.OPEN, by=SYSTEM)
        self.endpoint, _ = endpoints.create(
            self.business,
            Environment.LIVE,
            url=f"https://{name.lower()}.example.com/hooks",
            enabled_events=["*"],
            by=person,
        )
        fill(self.endpoint, rows)
        self._client = Client(headers={"User-Agent": "benchmark", "Host": "localhost"})
        self._client.force_login(person)
        session: Any = self._client.session
        session["began_at"] = session["seen_at"] = clock.now().isoformat()
        session.save()

    def addresses(self) -> dict[str, str]:
        """Return the pages by name: the list, one delivery in the middle of it, the endpoint."""
        ids = [self.business.public_id, self.endpoint.public_id]
        some = deliveries.of(self.endpoint)[FEW // 2]
        return {
            "deliveries": reverse("apikeys:deliveries", args=ids),
            "delivery": reverse("apikeys:delivery", args=[*ids, some.public_id]),
            "endpoint": reverse("apikeys:endpoint", args=ids),
        }

    def seconds(self, address: str) -> float:
        began = time.perf_counter()
        status = self._client.get(address).status_code
        took = time.perf_counter() - began
        if status != 200:
            raise SystemExit(f"{address} answers {status}.")
        return took

    def queries(self, address: str) -> int:
        """Return the fewest of three: now and then a session notes that it was seen."""
        return min(self._queries(address) for _ in range(3))

    def _queries(self, address: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            self.seconds(address)
        return len(captured)


def compare() -> dict[str, Any]:
    """Read each page of both in turns, and return the ratio of the medians and the queries."""
    call_command("collectstatic", interactive=False, verbosity=0)
    few, many = Reader("Few", FEW), Reader("Many", MANY)
    pages = {}
    for (name, small), large in zip(
        few.addresses().items(), many.addresses().values(), strict=True
    ):
        few.seconds(small), many.seconds(large)
        queries = few.queries(small), many.queries(large)
        pairs = [(few.seconds(small), many.seconds(large)) for _ in range(ROUNDS)]
        low, high = (statistics.median(side) for side in zip(*pairs, strict=True))
        pages[name] = {"ratio": high / low, "queries": queries}
    return {"few": FEW, "many": MANY, "pages": pages}


def main(words: list[str]) -> None:
    if words[:1] == ["fill"]:
        fill(WebhookEndpoint.objects.get(public_id=words[1]), int(words[2]))
    else:
        sys.stdout.write(json.dumps(compare()))


if __name__ == "__main__":
    main(sys.argv[1:])
