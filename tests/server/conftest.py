"""The web server as it is deployed: behind nginx."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launch.deployed import Proxy, deployed
from tests.services import Services


@pytest.fixture
def proxy(services: Services, tmp_path: Path) -> Iterator[Proxy]:
    """A console behind nginx, both as the examples say."""
    with deployed(services, tmp_path) as proxy:
        yield proxy
