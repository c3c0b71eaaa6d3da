"""The restricted list: entries by date, place and scope; an incomplete list is refused."""

import json
from dataclasses import replace
from datetime import date

import pytest

from console.publishing.files import FileFault
from onboarding.restrictions.restricted_list import (
    FOLDER,
    LISTS,
    RestrictionScope,
    StatedPlace,
)

TODAY = date(2026, 11, 21)
LIST = LISTS.newest()


def codes(*places, on=TODAY):
    return [entry.code for _, entry in LIST.find(places, on=on)]


@pytest.mark.parametrize("scope", list(RestrictionScope))
def test_north_korea_is_always_restricted(scope):
    assert codes(StatedPlace("KP", scope)) == ["KP"]


def test_a_country_that_is_not_listed_passes():
    assert (
        codes(
            StatedPlace("GB", RestrictionScope.CORRIDOR),
            StatedPlace("UA", RestrictionScope.ADDRESS, ("Kyiv",)),
        )
        == []
    )


@pytest.mark.parametrize(
    "word",
    [
        "Crimea",
        " crimea ",
        "SEVASTOPOL",
        "Autonomous Republic of Crimea",
        "Ｃｒｉｍｅａ",
        "Crímea",
        "Сrimеа",  # three letters are Cyrillic
    ],
)
def test_a_region_is_found_in_the_words_of_an_address(word):
    assert codes(StatedPlace("UA", RestrictionScope.ADDRESS, ("1 Main Street", word)))


def test_an_entry_counts_from_its_day_until_its_day():
    syria = StatedPlace("SY", RestrictionScope.CORRIDOR)

    assert codes(syria, on=date(2025, 6, 29)) == ["SY"]
    assert codes(syria, on=date(2025, 6, 30)) == []
    assert "SY" not in LIST.countries(on=TODAY)


def test_an_entry_counts_only_in_its_scopes(tmp_path):
    entry = {"code": "ZZ", "name": "Z", "scopes": ["corridor"], "basis": "x", "from": "2020-01-01"}
    save(tmp_path, "2026-11-01", more=[entry])
    found = replace(LISTS, folder=tmp_path).newest()

    assert found.find([StatedPlace("ZZ", RestrictionScope.CORRIDOR)], on=TODAY)
    assert not found.find([StatedPlace("ZZ", RestrictionScope.BANK)], on=TODAY)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        '{"entries": []}',
        "not json",
        '{"version":"2026-11-01","entries":[]}',
    ],
)
def test_half_a_list_is_no_list(tmp_path, content):
    path = tmp_path / "restricted-2026-11-01.json"
    path.write_text(content)

    with pytest.raises(FileFault):
        replace(LISTS, folder=tmp_path).newest()


KOREA = {"code": "KP", "name": "North Korea", "scopes": "all", "basis": "x", "from": "2006-10-14"}


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([KOREA | {"until": "2030-01-01"}], "does not hold KP"),
        ([KOREA, KOREA], "KP is listed twice"),
        ([KOREA, KOREA | {"code": "ZZ", "scopes": []}], "ZZ has no use"),
        ([KOREA, KOREA | {"code": "ZZ", "until": "2001-01-01"}], "ZZ ends before it begins"),
    ],
)
def test_a_wrong_list_is_refused_with_the_reason(entries, says):
    with pytest.raises(FileFault, match=says):
        LISTS.parse({"version": "1", "entries": entries})


def save(folder, day, *, more=(), **members):
    body = json.loads((FOLDER / "restricted-2026-11-01.json").read_text())
    body |= members
    body["entries"] += more
    path = folder / f"restricted-{day}.json"
    path.write_text(json.dumps(body))
    return path
