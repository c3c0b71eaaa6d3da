"""One part under another supervisor: none that serves or works may know the owner's password."""

import os
import subprocess
import sys

import pytest

from console.launch.check import PRODUCTION
from console.launch.setup import ROOT


def part(name: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    ours = {*PRODUCTION, "DJANGO_SETTINGS_MODULE"}
    known = {name: value for name, value in os.environ.items() if name not in ours}
    return subprocess.run(
        [sys.executable, "-m", "console.launch.part", name],
        cwd=ROOT,
        env=known | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


PARTS = ["web", "worker", "beat", "deliver"]


@pytest.mark.parametrize("name", PARTS)
def test_it_refuses_the_owners_address_and_says_where_it_belongs(name: str) -> None:
    done = part(name, **PRODUCTION)
    assert done.returncode == 1
    assert f"{name} must not know the owner's password" in done.stderr
    assert "owner.env" in done.stderr
    assert "postgres://" not in done.stderr


@pytest.mark.parametrize("name", PARTS)
def test_none_starts_before_the_database_was_asked_for_people_of_a_demo(name: str) -> None:
    nowhere = "postgres://site@/console?host=/nonexistent"
    done = part(name, **{**PRODUCTION, "DATABASE_OWNER_URL": "", "DATABASE_URL": nowhere})
    assert done.returncode == 1
    assert "The database cannot be asked" in done.stderr


def test_prepare_cannot_do_without_it() -> None:
    done = part("prepare", **{**PRODUCTION, "DATABASE_OWNER_URL": ""})
    assert done.returncode == 1
    assert "DATABASE_OWNER_URL is missing: it belongs into owner.env" in done.stderr


def test_another_word_is_no_part() -> None:
    assert "Name one part: web, worker, deliver, beat or prepare." in part("else").stderr
