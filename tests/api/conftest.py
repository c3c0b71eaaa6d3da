"""The API as it is served; data for readers in other threads is committed."""

from datetime import timedelta

import pytest

from api import rate_limits
from api.payments import quotes
from benchmarks.unlimited import UNLIMITED
from tests.api.calling import Caller
from tests.api.unrefilled_limits import UNREFILLED


@pytest.fixture(autouse=True)
def _database(transactional_db: None) -> None:
    """Calls commit as in production."""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes that outlast a slow test machine."""
    monkeypatch.setattr(quotes, "LIFETIME", timedelta(days=1))


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift all limits, so that every call reaches its target."""
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", UNLIMITED)


@pytest.fixture
def unrefilled_api(monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Limits do not refill while a test counts."""
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", UNREFILLED)
    return Caller()


@pytest.fixture
def api() -> Caller:
    return Caller()
