"""The web server as it is deployed, behind nginx."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launch.deployed import Proxy, deployed
from tests.services import Services


@pytest.fixture
def proxy(services: Services, tmp_path: Path) -> Iterator[Proxy]:
    """Yield nginx in front of a console, both configured as the examples show."""
    with deployed(services, tmp_path) as proxy:
        yield proxy
