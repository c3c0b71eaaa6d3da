"""The registry of executed files: written at execution, and immutable."""

from datetime import datetime

import pytest
from django.db import DatabaseError, connection, transaction

from agreements.models import ExecutedFile, Pack
from agreements.pki import certificates, time_stamping
from agreements.pki.revocation import RevocationList
from agreements.verification import executed_files, verdicts
from agreements.verification.outcomes import Outcome
from console.core import clock
from tests.agreements.sealing import made


def outcome_of(sha256: str) -> Outcome:
    registered = executed_files.find(sha256, holds_file=False)
    return verdicts.judge(sha256, registered, RevocationList(checked=True), at=clock.now()).outcome


def test_every_file_of_an_executed_pack_is_known_and_stays(executed):
    assert ExecutedFile.objects.filter(pack=executed).count() > 45
    revision = executed.revision
    for sha256 in (executed.manifest_sha256, executed.bundle_sha256, revision.offer_sha256):
        assert outcome_of(sha256) == Outcome.EXECUTED
    for change in (
        "UPDATE agreements_executedfile SET name = ''",
        "DELETE FROM agreements_executedfile",
    ):
        with (
            pytest.raises(DatabaseError, match=r"rows never change|permission denied"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change)


@pytest.fixture
def with_roots(settings, tmp_path):
    """Trust the root of the tests' seal, and treat the simulated authority as a real one."""
    settings.SEAL_ROOT_FILE = str(tmp_path / "root.pem")
    token = time_stamping.token(time_stamping.simulated(), b"anything")
    (tmp_path / "root.pem").write_bytes(certificates.pem(made.a_seal().root))
    (tmp_path / "time.pem").write_bytes(time_stamping.chain_of(token))
    settings.TSA_ROOT_FILE = str(tmp_path / "time.pem")


@pytest.mark.parametrize("stamped", [True, False])
def test_the_seal_and_the_proven_time_are_read_from_the_zip(with_roots, stamped):
    whole = made.a_bundle(codes=("MSA",), simulated_time=stamped)
    contents = executed_files.read(Pack(number="PK-2026-00001"), whole.zip(), clock.now())
    assert set(contents.files) == set(whole.files())
    assert contents.seal_sha256 == certificates.fingerprint(made.a_seal().certificate)
    assert isinstance(contents.stamped_at, datetime) == stamped


def test_a_time_of_an_authority_that_we_do_not_know_is_none():
    whole = made.a_bundle(codes=("MSA",), simulated_time=True)
    contents = executed_files.read(Pack(number="PK-2026-00001"), whole.zip(), clock.now())
    assert contents.stamped_at is None
