"""README.md is true: its map, its diagrams, its commands, its files and its settings."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands

from console.core import readme
from tests.guards.tree import ROOT

TEXT = (ROOT / "README.md").read_text()


def test_the_map_equals_the_sentences_of_the_modules():
    call_command("map", check=True)


@pytest.mark.parametrize("command", ["map", "lifecycles"])
def test_it_sees_a_part_that_is_out_of_date(command, settings, tmp_path):
    old = TEXT.replace("<details>", "<details open>")
    (tmp_path / "README.md").write_text(old)
    for package in ("console", "onboarding", "agreements", "apikeys", "api"):
        (tmp_path / package).symlink_to(ROOT / package)
    settings.ROOT = tmp_path
    with pytest.raises(CommandError, match="out of date"):
        call_command(command, check=True)
    call_command(command)
    call_command(command, check=True)


def test_it_says_which_marks_are_missing():
    with pytest.raises(readme.NoSuchPart, match="map"):
        readme.with_part("no marks", "map", [])


# What a reader would try


def unknown_targets(text: str, makefile: str) -> list[str]:
    """Return the `make` targets that a text names and the Makefile does not have."""
    named = set(re.findall(r"`make (?:-s )?([a-z-]+)", text))
    return sorted(named - set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)))


def unknown_commands(text: str) -> list[str]:
    """Return the `manage.py` commands that a text names and nobody has written."""
    return sorted(set(re.findall(r"manage\.py ([a-z_]+)", text)) - get_commands().keys())


def missing_files(text: str, root: Path) -> list[str]:
    """Return the paths that a text names in backticks or links to and that do not exist."""
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text))
    named |= {to for to in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in to}
    made = {path for path in named if path.startswith("build/")}  # by a command, and not kept
    return sorted(path for path in named - made if not (root / path).exists())


def test_every_make_target_exists():
    assert unknown_targets(TEXT, (ROOT / "Makefile").read_text()) == []


def test_every_command_exists():
    assert unknown_commands(TEXT) == []


def test_every_file_exists():
    assert missing_files(TEXT, ROOT) == []


def test_it_sees_planted_words():
    assert unknown_targets("`make coffee`", "run:\n\ttrue\n") == ["coffee"]
    assert unknown_commands("`manage.py brew`") == ["brew"]
    assert missing_files("see `onboarding/tea.py` or [this](docs/cup.svg)", ROOT) == [
        "docs/cup.svg",
        "onboarding/tea.py",
    ]
