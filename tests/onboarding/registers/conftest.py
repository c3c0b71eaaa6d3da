"""The registers' stand-in servers, connected by settings as an operator would."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.onboarding.intake.conftest import at
from tests.onboarding.registers.stand_in import KEY, StandIn

__all__ = ["at", "registers"]


@pytest.fixture
def registers(settings: Any) -> Iterator[StandIn]:
    server = StandIn()
    settings.DEMO = False
    settings.WEBHOOK_EGRESS_ALLOW_CIDRS = ["127.0.0.0/8"]
    settings.COMPANIES_HOUSE_KEY = KEY
    settings.COMPANIES_HOUSE_URL = settings.GLEIF_URL = settings.VIES_URL = server.url
    yield server
    server.shutdown()
    server.server_close()
