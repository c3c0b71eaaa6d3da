"""A gateway that is really open: its own connections, its listener, its request log."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from api.gateway.gateway import Gateway
from api.resources.quotes import quotes
from api.v1.operations import TABLE
from benchmarks.unlimited import UNLIMITED
from tests.api.calling import Caller
from tests.api.unrefilled_limits import UNREFILLED


@pytest.fixture(autouse=True)
def _database(transactional_db: None) -> None:
    """The gateway reads over connections of its own, so what it reads must be committed."""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes that outlive whatever a slow machine does before it uses them."""
    monkeypatch.setattr(quotes, "LIFETIME", timedelta(days=1))


@pytest.fixture(scope="session")
def gateway(django_db_setup: None, django_db_blocker: Any) -> Iterator[Gateway]:
    with django_db_blocker.unblock():
        opened = Gateway(TABLE)
        opened.open()
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def unlimited_gateway(django_db_setup: None, django_db_blocker: Any) -> Iterator[Gateway]:
    """A gateway that limits nothing, so that every call reaches what it is meant for.

    `gateway` is this one wherever it is resources, or every operation, that are tested.
    """
    with django_db_blocker.unblock():
        opened = Gateway(TABLE, UNLIMITED)
        opened.open()
        yield opened
        opened.close()


@pytest.fixture
def unrefilled_api() -> Iterator[Caller]:
    """A gateway whose limits do not refill while a test counts."""
    opened = Gateway(TABLE, UNREFILLED)
    opened.open()
    yield Caller(opened)
    opened.close()


@pytest.fixture
def api(gateway: Gateway) -> Caller:
    return Caller(gateway)
