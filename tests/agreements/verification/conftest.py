"""One executed pack for all these tests, which do not change it."""

from collections.abc import Iterator
from typing import Any

import pytest

from agreements.models import Pack
from tests import factories
from tests.databases import empty_tables


@pytest.fixture(scope="package")
def executed(django_db_setup: None, django_db_blocker: Any) -> Iterator[Pack]:
    with django_db_blocker.unblock():
        yield factories.a_pack("executed")
        empty_tables()
