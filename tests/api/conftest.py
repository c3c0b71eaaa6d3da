"""The API as it is served; what it writes for a reader in another thread is committed."""

from datetime import timedelta

import pytest

from api import rate_limits
from api.sandbox import quotes
from benchmarks.unlimited import UNLIMITED
from tests.api.calling import Caller
from tests.api.unrefilled_limits import UNREFILLED


@pytest.fixture(autouse=True)
def _database(transactional_db: None) -> None:
    """Calls commit as they do when they are served."""


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotes that outlive whatever a slow machine does before it uses them."""
    monkeypatch.setattr(quotes, "LIFETIME", timedelta(days=1))


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit nothing, so that every call reaches what it is meant for."""
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", UNLIMITED)


@pytest.fixture
def unrefilled_api(monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Limits do not refill while a test counts."""
    monkeypatch.setattr(rate_limits, "RATE_LIMITS", UNREFILLED)
    return Caller()


@pytest.fixture
def api() -> Caller:
    return Caller()
