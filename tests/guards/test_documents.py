"""The documents are true: the map, the diagrams, the commands and the files that they name."""

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands

from console.launch.check import steps
from tests.guards.tree import ROOT

FOLDERS = (ROOT / "docs", ROOT / "deploy", ROOT / ".github")
PAGES = sorted([*ROOT.glob("*.md"), *(page for top in FOLDERS for page in top.rglob("*.md"))])
TEXT = {str(page.relative_to(ROOT)): page.read_text() for page in PAGES}


DECISIONS = [page for page in TEXT if page.startswith("docs/decisions/")]
LARGEST = {"README.md": 10_000, "CHANGELOG.md": 6_000}
# What `make format` writes.
WRITTEN = ("map", "lifecycles", "settings")


@pytest.mark.parametrize("command", WRITTEN)
def test_what_is_written_from_the_code_is_current(command):
    call_command(command, check=True)


@pytest.mark.parametrize("page", LARGEST)
def test_a_page_can_be_read_in_one_go(page):
    assert len(TEXT[page].encode()) <= LARGEST[page]


@pytest.mark.parametrize("page", DECISIONS)
def test_a_decision_has_ten_lines_at_most(page):
    assert len(TEXT[page].splitlines()) <= 10


def test_the_changelog_describes_this_version(settings):
    sections = re.findall(r"^## \[?([\w.]+)", TEXT["CHANGELOG.md"], re.MULTILINE)
    assert sections == ["Unreleased", settings.VERSION]


def test_every_recipe_is_listed():
    listed = re.findall(r"\]\((docs/contributing/[^)]+)\)", TEXT["CONTRIBUTING.md"])
    assert listed
    assert set(listed) == {page for page in TEXT if page.startswith("docs/contributing/")}


def test_the_hooks_run_every_check():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    run = " ".join(re.findall(r"make check 'ARGS=([^']+)'", hooks)).split()
    assert run == [step.name for step in steps()]


@pytest.mark.parametrize("command", WRITTEN)
def test_it_sees_a_document_that_is_out_of_date(command, settings, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / f"{command}.md").write_text(f"{TEXT[f'docs/{command}.md']}Old.\n")
    for package in ("console", "onboarding", "agreements", "apikeys", "api"):
        (tmp_path / package).symlink_to(ROOT / package)
    settings.ROOT = tmp_path
    with pytest.raises(CommandError, match="out of date"):
        call_command(command, check=True)
    call_command(command)
    call_command(command, check=True)


# What a reader would try


def unknown_targets(text: str, makefile: str) -> list[str]:
    """Return the `make` targets that a text names and the Makefile does not have."""
    named = set(re.findall(r"`make (?:-s )?([a-z-]+)", text))
    return sorted(named - set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)))


def unknown_commands(text: str) -> list[str]:
    """Return the commands of `manage.py` that a text names and nobody has written."""
    named = set(re.findall(r"(?:manage\.py|`access-console) ([a-z_]+)", text))
    return sorted(named - get_commands().keys())


def missing_files(text: str, root: Path, beside: str = "") -> list[str]:
    """Return the paths that a text names in backticks or links to and that do not exist.

    `beside` is the folder of the page, from which its links lead.
    """
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", text))
    links = {to for to in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in to}
    named |= {str(Path(beside, to)) for to in links}
    # Made by a command and not kept; or beside us at run time.
    made = {path for path in named if path.startswith(("build/", "DATA_DIR/"))}
    return sorted(path for path in named - made if not (root / path).exists())


@pytest.mark.parametrize("page", TEXT)
def test_what_a_page_names_exists(page):
    assert unknown_targets(TEXT[page], (ROOT / "Makefile").read_text()) == []
    assert unknown_commands(TEXT[page]) == []
    # The page about evidence names the files of a bundle.
    if page != "docs/evidence.md":
        assert missing_files(TEXT[page], ROOT, str(Path(page).parent)) == []
