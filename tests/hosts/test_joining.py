"""A host that differs from the others is refused with a sentence: keys, store, seal and clock."""

import socket
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from console import env
from console.accounts.actors import SYSTEM
from console.audit import history
from console.core import clock
from console.governance import health_notices
from console.hosts import comparison, shared_values
from console.hosts.models import PartReport, SharedValue
from console.launch.setup import ROOT
from console.observability import probes
from tests import factories, seal_files
from tests.apikeys import world
from tests.apikeys.webhooks.world import an_endpoint
from tests.bucket import Bucket
from tests.databases import NO_PRIVILEGE, refused_by
from tests.services import Services
from tests.waiting import PATIENCE, eventually, in_the_middle_of

pytestmark = pytest.mark.django_db

OTHER = {1: b"o" * 32}
KEYS = ("VAULT_KEYS", "KEY_PEPPERS", "SECRET_KEY")


@pytest.fixture(autouse=True)
def own_store(settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "blobs"


def join() -> None:
    call_command("join", "web")


def refusal() -> str:
    """Return why this host cannot join, without the hint in the last line."""
    with pytest.raises(CommandError) as refused:
        join()
    *wrong, hint = str(refused.value).splitlines()
    assert "access-console doctor" in hint
    return "\n".join(wrong)


def test_a_second_host_that_has_the_same_joins_and_stores_nothing():
    join()
    known = set(SharedValue.objects.values_list("setting", "number"))
    assert known >= {("VAULT_KEYS", 1), ("KEY_PEPPER", 1), ("SECRET_KEY", 1), ("DOCUMENT_STORE", 1)}
    join()
    assert set(SharedValue.objects.values_list("setting", "number")) == known
    assert history.about(["installation"]).count() == 1


@pytest.mark.parametrize(
    ("setting", "other", "said"),
    [
        ("VAULT_KEYS", OTHER, "Key 1 of VAULT_KEYS is not the key 1 of the other hosts."),
        ("KEY_PEPPERS", OTHER, "Key 1 of KEY_PEPPER is not the key 1 of the other hosts."),
        ("SECRET_KEY", "another" * 10, "SECRET_KEY is not that of the other hosts."),
    ],
)
def test_other_keys(client, settings, monkeypatch, setting, other, said):
    join()
    monkeypatch.setattr(probes, "_KEEP", -1.0)
    assert client.get("/readyz").status_code == 200
    # A key that is only here does not come in with one that differs.
    setattr(settings, setting, other | {2: b"n" * 32} if isinstance(other, dict) else other)
    assert refusal() == said
    assert not SharedValue.objects.filter(number=2).exists()
    assert client.get("/readyz").status_code == 503
    assert probes.report()[0]["installation"] == said


def a_seed() -> None:
    factories.an_authenticator(factories.a_person())


def a_secret() -> None:
    an_endpoint(url="https://hooks.example.com/")


def an_api_key() -> None:
    world.a_key()


@pytest.mark.parametrize(
    ("setting", "use"),
    [("VAULT_KEYS", a_seed), ("VAULT_KEYS", a_secret), ("KEY_PEPPER", an_api_key)],
)
def test_a_number_may_go_once_no_row_needs_it(settings, setting, use):
    join()
    own = shared_values.KEYS[setting]
    setattr(settings, own, {2: b"n" * 32} | getattr(settings, own))
    join()
    setattr(settings, own, {2: b"n" * 32})
    join()
    setattr(settings, own, {2: b"n" * 32, 3: b"m" * 32} | OTHER)
    assert f"Key 1 of {setting} is not" in refusal()
    setattr(settings, own, {4: b"p" * 32, 2: b"n" * 32})
    use()
    join()
    setattr(settings, own, {2: b"n" * 32})
    assert refusal() == f"{setting} lacks key 4, which stored rows need."


def test_another_document_store(settings, tmp_path, monkeypatch):
    join()
    settings.MEDIA_ROOT = tmp_path / "elsewhere"
    wrong = "The document store is not that of the other hosts. Look at DOCUMENT_STORE."
    assert refusal() == wrong
    assert probes.report()[1] is False
    # A store that does not answer is no other store.
    settings.STORAGES = Bucket().storages(monkeypatch, settings)
    join()


def test_another_seal_and_one_that_is_renewed(settings, tmp_path):
    settings.SELF_MADE_SEAL, settings.PKI_DIR = False, tmp_path / "none"
    first, second = (seal_files.make(tmp_path / name) for name in ("first", "second"))

    def use(seal: dict[str, str]) -> None:
        for name, value in seal.items():
            setattr(settings, name, value)

    use(first)
    join()
    use(second)
    assert "SEAL_ROOT_FILE lacks the root" in refusal()
    # Its own pages would call our documents false, but they work.
    assert probes.report()[1] is True
    both = tmp_path / "roots.pem"
    both.write_bytes(b"".join(Path(one["SEAL_ROOT_FILE"]).read_bytes() for one in (second, first)))
    use(second | {"SEAL_ROOT_FILE": str(both)})
    join()
    use(first | {"SEAL_ROOT_FILE": str(both)})
    assert "was replaced by" in refusal()
    # Parts without the seal's files cannot know.
    use(dict.fromkeys(first, ""))
    join()


@pytest.mark.parametrize(("seconds", "side"), [(8, "ahead of"), (-8, "behind")])
def test_a_clock_that_is_seconds_off(client, monkeypatch, seconds, side):
    join()
    real = timezone.now  # noqa: TID251  # the clock that is wrong
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(seconds=seconds))
    assert refusal() == f"The clock is 8 s {side} the database's. Synchronise clocks."
    told, is_ready = probes.report()
    assert side in told["clock"]
    assert is_ready


def test_a_changed_secret_key_is_accepted_by_a_command(settings):
    join()
    with pytest.raises(CommandError, match="this SECRET_KEY already"):
        call_command("accept_secret_key", because="It leaked yesterday.", stdout=StringIO())
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another" * 10
    call_command("accept_secret_key", because="It leaked yesterday.", stdout=StringIO())
    join()
    settings.SECRET_KEY = former
    assert refusal() == "SECRET_KEY is not that of the other hosts."


def test_no_statement_changes_a_value():
    join()
    values = SharedValue._meta.db_table
    assert refused_by(f"UPDATE {values} SET value = 'x'") == "shared_values_never_change"
    assert refused_by(f"DELETE FROM {values}") == NO_PRIVILEGE


@pytest.mark.django_db(transaction=True)
def test_of_two_first_hosts_one_wins(settings):
    mine = shared_values.key_marks()["KEY_PEPPER"]

    def another_host_joins() -> None:
        settings.KEY_PEPPERS = OTHER | {2: b"n" * 32}
        shared_values.join(by=SYSTEM)

    in_the_middle_of(lambda: shared_values.join(by=SYSTEM), another_host_joins)
    known = SharedValue.objects.filter(setting="KEY_PEPPER").values_list("number", "value")
    assert dict(known) == mine
    assert refusal() == "Key 1 of KEY_PEPPER is not the key 1 of the other hosts."


def diagnosis() -> str:
    said = StringIO()
    try:
        call_command("doctor", stdout=said)
    except CommandError as found:
        return str(found)
    return said.getvalue().splitlines()[-1]


def test_the_doctor_compares_all_hosts(settings, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "first")
    join()
    assert diagnosis() == "All hosts agree."
    monkeypatch.setattr(socket, "gethostname", lambda: "second")
    settings.VAULT_KEYS = {2: b"n" * 32} | settings.VAULT_KEYS
    settings.VERSION = "99.0.0"
    settings.KEY_PEPPERS = OTHER
    refusal()

    # As the first host sees it.
    monkeypatch.undo()
    found = health_notices.told()
    pepper = "Key 1 of KEY_PEPPER is not the key 1 of the other hosts."
    assert f"second, web: {pepper}" in found
    for name in ("version", "VAULT_KEYS", "KEY_PEPPER"):
        assert [one for one in found if one.startswith(f"{name} differs: ")], name
    assert not [
        one for one in found if one.startswith(("SECRET_KEY", "DOCUMENT_STORE", "BASE_URL"))
    ]


def test_a_host_that_is_gone_is_not_compared_and_forgotten_after_a_day(settings):
    join()
    PartReport.objects.update(seen_at=clock.now() - timedelta(minutes=4))
    settings.VERSION = "99.0.0"
    assert diagnosis() == "All hosts agree."
    PartReport.objects.filter(part="web").update(seen_at=clock.now() - timedelta(days=2))
    assert diagnosis() == "All hosts agree."
    assert not PartReport.objects.filter(part="web").exists()


@pytest.mark.services
@pytest.mark.check
def test_neither_a_part_nor_the_preparation_goes_on_with_other_keys(
    services: Services, tmp_path: Path
):
    join()
    # The same store as here.
    strange = {"KEY_PEPPER": env.new_key(), "DATA_DIR": str(tmp_path), "SELF_MADE_SEAL": "0"}
    modules = ["prepare", *(f"part {name}" for name in ("web", "worker", "deliver", "beat"))]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", *f"console.launch.{module}".split()],
            cwd=ROOT,
            env=services.environment() | {"DATABASE_OWNER_URL": ""} | strange,
            stderr=subprocess.PIPE,
            text=True,
        )
        for module in modules
    ]
    for one in started:
        _, said = one.communicate(timeout=PATIENCE)
        assert one.returncode == 1
        assert "Key 1 of KEY_PEPPER is not the key 1 of the other hosts." in said
    reported = PartReport.objects.exclude(problems=[]).values_list("part", flat=True)
    assert set(reported) == {"prepare", "web", "worker", "deliver", "beat"}


@pytest.mark.services
@pytest.mark.check
def test_every_part_reports_while_it_runs(services: Services):
    parts = {"worker", "beat", "web", "deliver"}
    services.start("broker", *parts)  # without `join`, which reports once
    eventually(lambda: set(PartReport.objects.values_list("part", flat=True)) == parts)
    assert comparison.differences() == []
