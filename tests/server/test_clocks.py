"""A clock that is set forward or back by an hour stops no work."""

import time
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from agreements.lifecycle import PackStatus
from apikeys.models import ApiKey
from console.core import clock
from console.events.models import JobRun
from tests import factories
from tests.proofs import Proven, proof
from tests.server.writers import Writers, waiting
from tests.services import Services
from tests.waiting import eventually

SOON = 60
HOUR = 3600
JUMPS = (HOUR, -HOUR, 0)


class JumpingClock:
    """The clock of programs that are started with its environment. The database has another."""

    def __init__(self, file: Path, ahead: int = 0) -> None:
        self.file = file
        self.set(ahead)
        code = Path(__file__).parent / "jumping_clock"
        self.environment = {"PYTHONPATH": str(code), "JUMPING_CLOCK": str(file)}

    def set(self, seconds: int) -> None:
        """Set the clock that many seconds forward or back."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)


def has_ticked(since: datetime) -> bool:
    """Tell whether a job of every five seconds was started since then."""
    return JobRun.objects.filter(name="audit.link_entries", started_at__gt=since).exists()


@pytest.mark.services
@proof("R20", "the clock jumps by an hour, forward and back", small=1, full=2)
def test_a_clock_that_jumps_stops_nothing(proven: Proven, services: Services, tmp_path: Path):
    jumping = JumpingClock(tmp_path / "clock")
    services.start("broker", "worker", "beat", "web", **jumping.environment)
    writers = Writers(services.port)
    ApiKey.objects.update(stored_at=clock.now())  # or it ends 15 minutes after it was shown
    for _ in range(proven.size):
        pack = factories.a_pack(PackStatus.COUNTERSIGNING)
        for seconds in JUMPS:
            jumping.set(seconds)
            time.sleep(1)  # until every program has seen it
            began = clock.of_database()
            writers.send()
            eventually(partial(has_ticked, began), within=SOON)
            eventually(lambda: not waiting(), within=SOON)
        assert factories.fresh_pack(pack).status == PackStatus.EXECUTED
    writers.report(proven, stuck=waiting())


@pytest.mark.services
def test_beat_waits_for_no_time_that_it_stored_while_the_clock_was_ahead(
    services: Services, tmp_path: Path
):
    jumping = JumpingClock(tmp_path / "clock", ahead=HOUR)
    services.start("broker", "worker", "beat", **jumping.environment)
    eventually(partial(has_ticked, clock.of_database()), within=SOON)
    services.stop("beat")
    jumping.set(0)
    services.start("beat", **jumping.environment)
    eventually(partial(has_ticked, clock.of_database()), within=SOON)
