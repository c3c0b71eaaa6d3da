"""With a full disk, of the database or of the documents, work waits and is then done."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from console.events.models import EventDelivery
from console.launch.postgres import SUPERUSER
from tests import databases, factories
from tests.launch.private_root import needs_mounts
from tests.proofs import Proven, proof
from tests.server import small_disks
from tests.server.writers import Writers, waiting
from tests.services import Services
from tests.waiting import eventually

pytestmark = [pytest.mark.services, needs_mounts]


@contextmanager
def tablespace(folder: Path) -> Iterator[None]:
    """Keep the customers on a small disk of PostgreSQL until the end of the block."""
    server = (databases.cluster() / "db").stat()
    at = connection.settings_dict
    with (
        small_disks.mounted(folder, 16),
        psycopg.connect(
            dbname=at["NAME"], user=SUPERUSER, password=at["PASSWORD"], host=at["HOST"],
            autocommit=True,
        ) as superuser,
    ):  # fmt: skip
        os.chown(folder, server.st_uid, server.st_gid)
        superuser.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
        superuser.execute("ALTER TABLE sandbox_customer SET TABLESPACE small")
        try:
            yield
        finally:
            superuser.execute("ALTER TABLE sandbox_customer SET TABLESPACE pg_default")
            superuser.execute("DROP TABLESPACE small")


@proof("R20", "the disk of the database is full", small=1, full=10)
def test_a_full_database_commits_nothing_that_it_refuses(
    proven: Proven, services: Services, tmp_path: Path
):
    services.start("web")
    writers, disk = Writers(services.port), tmp_path / "disk"
    with tablespace(disk):
        for _ in range(proven.size):
            with small_disks.full(disk):
                answers = [*writers.send(), *writers.send()]
            assert 503 in {answer.status for answer in answers}
            assert {answer.status for answer in writers.send()} == {201}
        assert "No space left on device" in services.log_of("web").read_text()
        writers.report(proven)


@proof("R20", "the disk of the documents is full while they are sealed", small=1, full=3)
def test_a_pack_is_sealed_once_the_disk_has_room(proven: Proven, services: Services):
    disk = Path(settings.MEDIA_ROOT)
    with small_disks.mounted(disk, 64 * proven.size):
        packs = [factories.a_pack(PackStatus.COUNTERSIGNING) for _ in range(proven.size)]
        with small_disks.full(disk):
            services.start("broker", "worker", "beat", "web")
            writers = Writers(services.port)
            full = EventDelivery.objects.waiting().filter(last_error__contains="No space left")
            eventually(lambda: full.count() == len(packs))
            writers.send()
        eventually(lambda: Pack.objects.executed().count() == len(packs))
        eventually(lambda: not waiting())
        writers.report(proven, stuck=waiting())
