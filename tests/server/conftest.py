"""The web server as `make run` starts it, on an empty database."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.databases import empty_tables
from tests.services import Services


@pytest.fixture(scope="package")
def web(django_db_setup: None, django_db_blocker: Any) -> Iterator[Services]:
    with django_db_blocker.unblock():
        beside = Services()
        beside.start("web")
        yield beside
        beside.stop_all()
        empty_tables()
