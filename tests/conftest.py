"""What every test stands on: the site's role, an emptied database, and no network but loopback."""

import pytest
from django.db import connection


@pytest.fixture(autouse=True)
def _database(db):
    """Every test may use the database."""
