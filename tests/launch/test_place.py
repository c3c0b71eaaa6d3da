"""The data folder: its location, its private files, and its single launcher."""

import os
import stat
from pathlib import Path

import pytest

from api.demo import saved_keys
from console.launch.data_folder import OURS, DataFolder
from console.launch.errors import Trouble
from console.launch.setup import ROOT


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DataFolder:
    """Return a new data folder, with none of the settings in the environment."""
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL", "DEMO", "HTTPS", "PORT"):
        monkeypatch.delenv(name, raising=False)
    for name in ("SECRET_KEY", "VAULT_KEYS", "KEY_PEPPER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    return DataFolder.named_by_the_environment()


def test_a_relative_folder_begins_at_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", "build/somewhere")
    try:
        assert DataFolder.named_by_the_environment().data == ROOT / "build" / "somewhere"
    finally:
        (ROOT / "build" / "somewhere").rmdir()


def test_a_blank_folder_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make reset` deletes `static` of the data folder, and the checkout has one."""
    monkeypatch.setenv("DATA_DIR", "")
    assert DataFolder.named_by_the_environment().data == ROOT / "var"


def test_a_folder_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", "/proc/nothing/here")
    with pytest.raises(Trouble, match="/proc/nothing/here cannot be made"):
        DataFolder.named_by_the_environment()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may write where others own the folder")
def test_root_takes_no_folder_of_another_user(place: DataFolder) -> None:
    os.chown(place.data, 65534, 65534)
    with pytest.raises(Trouble, match="belongs to another user"):
        DataFolder.named_by_the_environment()


def test_secrets_are_made_once_and_are_ours_alone(place: DataFolder) -> None:
    first = place.secrets()
    assert place.secrets() == first
    assert len(set(first.values())) == len(first) == 8
    assert stat.S_IMODE((place.data / "secrets.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(place.sockets().stat().st_mode) == 0o700


def test_sockets_have_short_paths_whatever_the_folder(place: DataFolder) -> None:
    deep = DataFolder(place.data / ("deep" * 40))
    assert len(str(deep.broker().socket)) < 90


def test_the_site_and_the_owner_have_an_address_each(place: DataFolder) -> None:
    settings = place.environment()
    assert settings["DATABASE_URL"].startswith("postgres://site:")
    assert "DATABASE_OWNER_URL" not in settings
    assert place.owners_environment()["DATABASE_URL"].startswith("postgres://owner:")
    assert place.database().passwords["owner"] not in "".join(settings.values())
    assert settings["BROKER_URL"].startswith("redis+socket:///")
    assert (settings["DEMO"], settings["HTTPS"], settings["PORT"]) == ("1", "0", "8000")


def test_what_the_environment_says_wins(place: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://me@db.example/console")
    monkeypatch.setenv("DEMO", "0")
    settings = place.environment()
    assert settings["DATABASE_URL"] == "postgres://me@db.example/console"
    assert place.owners_environment()["DATABASE_URL"] == "postgres://me@db.example/console"
    assert settings["DEMO"] == "0"
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgres://owner@db.example/console")
    assert "DATABASE_OWNER_URL" not in place.environment()
    assert place.owners_environment()["DATABASE_URL"] == "postgres://owner@db.example/console"


def test_a_place_has_one_launcher(place: DataFolder) -> None:
    lock = place.lock()
    assert lock is not None
    assert place.lock() is None
    assert place.running() == {}
    os.close(lock)
    assert place.running() is None


def test_a_reset_takes_the_key_of_the_demo_world_along() -> None:
    """After a reset the demo world's saved key would not work, and would block a new one."""
    assert saved_keys._path().name in OURS
