"""Packs rendered once for these page tests, since rendering takes seconds."""

from collections.abc import Iterator
from typing import Any

import pytest

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.accounts.models import User
from tests import factories
from tests.databases import empty_tables


@pytest.fixture(scope="package")
def documents(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Commit what is rendered here for the whole package, and empty the tables afterwards."""
    with django_db_blocker.unblock():
        yield
        empty_tables()


@pytest.fixture(scope="package")
def rendered_low(documents: None) -> Pack:
    return factories.a_pack(PackStatus.IN_REVIEW)


@pytest.fixture(scope="package")
def rendered_high(documents: None) -> Pack:
    return factories.a_pack(PackStatus.IN_REVIEW, tier="HIGH")


@pytest.fixture(scope="package")
def rendered_executed(documents: None) -> Pack:
    return factories.a_pack(PackStatus.EXECUTED)


@pytest.fixture
def pack(rendered_low: Pack) -> Pack:
    """A pack that its business can read."""
    return factories.fresh_pack(rendered_low)


@pytest.fixture
def high(rendered_high: Pack) -> Pack:
    """The same at the highest tier."""
    return factories.fresh_pack(rendered_high)


@pytest.fixture
def executed(rendered_executed: Pack) -> Pack:
    """An executed pack."""
    return factories.fresh_pack(rendered_executed)


@pytest.fixture
def signatory(pack: Pack) -> User:
    """The signatory named in the answers, with an authenticator."""
    person = factories.owner_of(pack.business)
    factories.an_authenticator(person)
    return person
