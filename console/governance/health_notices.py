"""Registry of health notices and checks, which packages register for the operators' page."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from console.core import clock

Teller = Callable[[], list[str]]
_tellers: dict[str, Teller] = {}


@dataclass(frozen=True)
class HealthCheck:
    """The result of the last background check. `at` is None if there was none yet."""

    about: str
    outcome: str
    at: datetime | None

    @property
    def age(self) -> str:
        return clock.ago(self.at) if self.at else ""


CheckReader = Callable[[], HealthCheck]
_readers: list[CheckReader] = []


def register(about: str, teller: Teller) -> None:
    """Register a function that returns notices, or an empty list. Called from AppConfig.ready().

    It runs whenever an operator opens the page, so it must not contact external services.
    """
    if about in _tellers:
        raise ValueError(f"Concerns about {about} are registered twice.")
    _tellers[about] = teller


def told() -> list[str]:
    """Return the current notices of all packages."""
    return [sentence for teller in _tellers.values() for sentence in teller()]


def register_check(reader: CheckReader) -> None:
    """Register a check whose last result is stored. Called from AppConfig.ready(), nowhere else."""
    _readers.append(reader)


def checks() -> list[HealthCheck]:
    """Return the last result of every check."""
    return [read() for read in _readers]
