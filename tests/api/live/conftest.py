"""A connected provider."""

from collections.abc import Iterator

import pytest

from tests.api.live import scripted
from tests.api.live.scripted import Scripted


@pytest.fixture
def provider() -> Iterator[Scripted]:
    with scripted.connected() as provider:
        yield provider
