"""Nothing is limited in these tests: what a limit refills depends on the machine."""

import pytest


@pytest.fixture(autouse=True)
def _unlimited(unlimited: None) -> None: ...
