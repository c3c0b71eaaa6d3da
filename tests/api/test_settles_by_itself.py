"""The sandbox completes pending objects by itself, with a real worker and without beat."""

import json
import time
import urllib.request

import pytest

from api.payments.models import Payout
from tests.api.asking import EXAMPLES, a_client
from tests.services import Services
from tests.waiting import eventually

pytestmark = pytest.mark.services


def test_a_payout_that_waits_completes_within_ten_seconds(services: Services):
    plain = a_client()
    services.start("broker", "worker", "web")
    asked = urllib.request.Request(
        f"{services.url}/sandbox/v1/payouts",
        data=json.dumps(EXAMPLES["payouts.create"] | {"amount": "10.45"}).encode(),
        headers={
            "Authorization": f"Bearer {plain}",
            "Content-Type": "application/json",
            "Idempotency-Key": "settles-by-itself",
        },
    )
    with urllib.request.urlopen(asked) as reply:
        assert json.load(reply)["status"] == "pending"

    began = time.monotonic()
    eventually(lambda: Payout.objects.get().status == "completed")
    assert time.monotonic() - began < 10
