"""Single parts under another supervisor: serving parts must not know the owner's password."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from console.launch import failed_starts
from console.launch.check import PRODUCTION
from console.launch.part import main
from console.launch.setup import ROOT

pytestmark = pytest.mark.check


def part(name: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Run the part on a host on which no start has failed yet."""
    with tempfile.TemporaryDirectory() as folder:
        return again(name, Path(folder), variables)


def again(name: str, data: Path, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run the part on the host with that data folder."""
    ours = {*PRODUCTION, "DJANGO_SETTINGS_MODULE"}
    known = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        [sys.executable, "-m", "console.launch.part", name],
        cwd=ROOT,
        env=known | variables | {"DATA_DIR": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


PRELOADED = """
import os, sys
from pathlib import Path
from console.launch import forks, programs
from console.launch.data_folder import DataFolder
from console.launch.run import _programs
from django.conf import settings

def shows_its_pool(command):
    print("pool" in settings.DATABASES["default"]["OPTIONS"])

forks.preload(os.environ | {"DB_POOL": "9"})
opened = [str(file.readlink()) for file in Path("/proc/self/fd").iterdir() if file.exists()]
print(len(os.listdir("/proc/self/task")), [one for one in opened if "socket" in one])
programs.run_here = shows_its_pool
for part in _programs(DataFolder(Path(sys.argv[1]))):
    part.command()
"""
SITE = {**PRODUCTION, "DATABASE_OWNER_URL": ""}
PARTS = ["web", "worker", "beat", "deliver"]
POOLS = {"web": "9", "worker": "0", "beat": "0", "deliver": "0"}


def test_it_refuses_the_owners_address_and_says_where_it_belongs() -> None:
    done = part("web", **PRODUCTION)
    assert done.returncode == 1
    assert "web must not know the owner's password" in done.stderr
    assert "owner.env" in done.stderr
    assert "postgres://" not in done.stderr


@pytest.mark.parametrize(
    ("name", "variables", "said"),
    [
        ("web", {"DATABASE_OWNER_URL": "", "DATABASE_OWNER_URL_FILE": "/etc/hostname"}, "must not"),
        ("worker", {**SITE, "OIDC_ISSUER": "http://login.example.com"}, "have https://"),
        ("worker", {**SITE, "CHECK_PROVIDERS": "registry=nobody"}, "CHECK_PROVIDERS says"),
    ],
)
def test_a_wrong_setting_is_refused_in_a_sentence(name, variables, said) -> None:
    done = part(name, **PRODUCTION | variables)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_the_deploy_check_says_in_a_sentence_that_the_database_cannot_be_asked() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--database", "default"],
        cwd=ROOT,
        env=os.environ | PRODUCTION | {"DATABASE_URL": "postgres://site@/none?host=/nonexistent"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "The database cannot be asked" in done.stderr
    assert "Traceback" not in done.stderr


def test_none_starts_before_the_database_was_asked_for_people_of_a_demo() -> None:
    nowhere = "postgres://site@/console?host=/nonexistent"
    done = part("worker", **{**SITE, "DATABASE_URL": nowhere})
    assert done.returncode == 1
    assert "The database cannot be asked" in done.stderr


@pytest.mark.parametrize("name", ["web", "prepare"])
def test_none_starts_with_a_blank_key(name: str) -> None:
    done = part(name, **{**SITE, "VAULT_KEYS": ""})
    assert done.returncode == 1
    assert done.stderr == "Set VAULT_KEYS. See docs/settings.md.\n"


def test_a_worker_says_which_setting_is_wrong() -> None:
    done = part("worker", **{**SITE, "WORKERS": "two"})
    assert done.returncode == 1
    assert done.stderr == "WORKERS is 'two'; say a whole number.\n"


@pytest.mark.parametrize("name", ["web", "prepare"])
def test_none_starts_where_each_host_would_make_its_own_seal(name: str) -> None:
    done = part(name, **{**SITE, "SELF_MADE_SEAL": "1"})
    assert done.returncode == 1
    assert done.stderr.startswith("SELF_MADE_SEAL=1 is for `make run`")


@pytest.mark.parametrize("name", ["prepare", "worker"])
def test_a_start_that_fails_again_ends_later(name: str, tmp_path: Path) -> None:
    wrong = {**SITE, "VAULT_KEYS": ""}
    assert "in a row" not in again(name, tmp_path, wrong).stderr
    began = time.monotonic()
    done = again(name, tmp_path, wrong)
    assert time.monotonic() - began > failed_starts.pause_after(2) == 5
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Set VAULT_KEYS. See docs/settings.md.",
        "The start failed 2 times in a row: it can be tried again in 5 s.",
    ]


def test_pauses_grow_up_to_two_minutes() -> None:
    assert [failed_starts.pause_after(count) for count in range(1, 9)] == [
        *(0, 5, 10, 20, 40, 80, 120, 120)
    ]


def test_a_start_that_succeeds_forgets_the_failures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    for _ in range(2):
        with pytest.raises(SystemExit, match="1"), failed_starts.paused("web"):
            raise OSError
    with failed_starts.paused("web"):
        assert [file.stat().st_size for file in tmp_path.iterdir()] == [2]
    assert [*tmp_path.iterdir()] == []


def test_the_deploy_check_refuses_it_too() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy"],
        cwd=ROOT,
        env=os.environ | PRODUCTION | {"KEY_PEPPER": "1:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "KEY_PEPPER must list keys of 32 bytes" in done.stderr


def test_prepare_cannot_do_without_it() -> None:
    done = part("prepare", **SITE)
    assert done.returncode == 1
    assert "DATABASE_OWNER_URL is missing: it belongs into owner.env" in done.stderr


def test_only_the_web_keeps_a_pool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker has no pool: at night it needs more connections than the web has threads."""
    monkeypatch.setattr("console.settings.SELF_MADE_SEAL", False)
    started: list[str] = []
    monkeypatch.setenv("DB_POOL", "9")
    monkeypatch.delenv("DATABASE_OWNER_URL", raising=False)
    monkeypatch.setattr("console.launch.part._run", lambda *_: None)
    monkeypatch.setattr(os, "execvpe", lambda *said: started.append(said[2]["DB_POOL"]))
    for name in PARTS:
        main([name])
    assert dict(zip(PARTS, started, strict=True)) == POOLS


def test_the_launcher_is_copied_alone_and_only_the_web_copy_keeps_a_pool(tmp_path: Path) -> None:
    """Copies must share no thread and no connection."""
    done = subprocess.run(
        [sys.executable, "-c", PRELOADED, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["1 []", "True", "False", "False", "False"]


def test_another_word_is_no_part() -> None:
    assert "Name one part: web, worker, deliver, beat or prepare." in part("else").stderr
