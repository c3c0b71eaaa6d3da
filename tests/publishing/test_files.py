"""Versioned files are validated against their type, and their hash covers all of it."""

import json

import pytest
from pydantic.dataclasses import dataclass

from console.core.digests import digest
from console.publishing.files import STRICT, FileFault, JsonFiles, VersionedFile, by_age


@dataclass(frozen=True, config=STRICT)
class Row:
    """A row of the test file."""

    name: str
    count: int = 0


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Menu(VersionedFile):
    """The versioned file used in these tests."""

    rows: tuple[Row, ...]


GOOD = {"version": "1", "rows": [{"name": "tea", "count": 2}]}


def too_long(menu):
    if len(menu.rows) > 1:
        yield "One row is enough."


@pytest.fixture
def menus(tmp_path):
    return JsonFiles("menu", "Menu", "test.menu.v1", Menu, tmp_path, faults=too_long)


def save(menus, version, document=None):
    text = document if isinstance(document, str) else json.dumps(document or GOOD)
    (menus.folder / f"{version}.json").write_text(text)


def test_it_is_read_typed_and_hashed_over_the_canonical_form(menus):
    save(menus, "1")
    found = menus.load("1")

    assert found.rows == (Row("tea", 2),)
    assert found.sha256 == digest("test.menu.v1", GOOD)
    assert menus.parse(dict(reversed(GOOD.items()))).sha256 == found.sha256


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (GOOD | {"colour": "red"}, "colour is not known"),
        (GOOD | {"sha256": "0"}, "sha256 is not known"),
        (GOOD | {"canonical": "0"}, "canonical is not known"),
        (GOOD | {"rows": [{"name": "tea", "sugar": 1}]}, "rows.0.sugar is not known"),
        (GOOD | {"rows": [{"name": "tea", "count": "2"}]}, "rows.0.count is wrong"),
        (GOOD | {"rows": [{"name": "tea", "count": True}]}, "rows.0.count is wrong"),
        (GOOD | {"rows": [{"name": "tea", "count": 2.0}]}, "no floats"),
        (GOOD | {"rows": [{"count": 2}]}, "rows.0.name is missing"),
        (GOOD | {"rows": [{"name": "tea"}, {"name": "milk"}]}, "One row is enough"),
        (GOOD | {"version": "2"}, "says that it is the version 2"),
        ('{"version": "1", "version": "1", "rows": []}', "named twice"),
        ("{", "cannot be read"),
        ("[]", "wrong"),
    ],
)
def test_a_faulty_file_is_refused_with_the_reason(menus, document, says):
    save(menus, "1", document)

    with pytest.raises(FileFault, match=says):
        menus.load("1")


def test_all_faults_are_told_at_once(menus):
    with pytest.raises(FileFault) as refusal:
        menus.parse({"rows": [{"name": 1, "sugar": 2}]})

    assert len(str(refusal.value).splitlines()) == 3


@pytest.mark.parametrize("version", ["2", "../1", ""])
def test_a_version_that_does_not_exist_is_refused(menus, version):
    save(menus, "1")

    with pytest.raises(FileFault, match="no version"):
        menus.load(version)


def test_versions_are_in_the_order_of_their_numbers(menus):
    for version in ("2026-11.10", "2026-11", "2027-01", "2026-11.2"):
        save(menus, version, GOOD | {"version": version})

    assert menus.versions() == ["2026-11", "2026-11.2", "2026-11.10", "2027-01"]
    assert menus.newest().version == "2027-01"
    assert by_age("1.10.0") > by_age("1.9.3")
