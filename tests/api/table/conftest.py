"""The gateway of these tests limits nothing: what a limit refills depends on the machine."""

import pytest

from api.gateway.gateway import Gateway


@pytest.fixture
def gateway(unlimited_gateway: Gateway) -> Gateway:
    return unlimited_gateway
