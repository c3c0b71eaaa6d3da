"""What our operators should know before it stops somebody: each package tells its own."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from console.core import clock

Teller = Callable[[], list[str]]
_tellers: dict[str, Teller] = {}


@dataclass(frozen=True)
class HealthCheck:
    """What the last check in the background found; `at` is None until there was one."""

    about: str
    outcome: str
    at: datetime | None

    @property
    def age(self) -> str:
        return clock.ago(self.at) if self.at else ""


CheckReader = Callable[[], HealthCheck]
_readers: list[CheckReader] = []


def register(about: str, teller: Teller) -> None:
    """Add a teller: sentences, none when all is well. Called from AppConfig.ready(), nowhere else.

    It is asked whenever an operator opens the page, so it asks nobody outside.
    """
    if about in _tellers:
        raise ValueError(f"Concerns about {about} are registered twice.")
    _tellers[about] = teller


def told() -> list[str]:
    """Return what every package has to say now."""
    return [sentence for teller in _tellers.values() for sentence in teller()]


def register_check(reader: CheckReader) -> None:
    """Add a check whose outcome is kept. Called from AppConfig.ready(), nowhere else."""
    _readers.append(reader)


def checks() -> list[HealthCheck]:
    """Return what every check found last."""
    return [read() for read in _readers]
