"""The scorer process: it starts with the first request, and only one serves all."""

import subprocess
import sys

import pytest

from onboarding.screening import scoring
from onboarding.screening.model import MODELS
from onboarding.screening.names import name_keys

LISTED = {
    1: ["QADHAFI, Muammar Abu Minyar"],
    2: ["AL-ZAWAHIRI, Ayman"],
    3: ["VORKESH TRADING LLC"],
    4: ["BARADAR, Abdul Ghani"],
}


@pytest.mark.parametrize(
    ("name", "kind", "found"),
    [
        ("Moammar Abu Minyar Gaddafi", "person", "1"),
        ("Айман аз-Завахири", "person", "2"),
        ("A. Zawahiri", "person", "2"),
        ("Ayman Zawahiri (طبيب أسنان)", "person", "2"),
        ("عبدالغنی برادر", "person", "4"),
        ("Vorkesh Trading Limited Liability Company", "organisation", "3"),
        ("Savanna Freight Limited", "organisation", None),
        ("Ayman Otieno", "person", None),
    ],
)
def test_other_spellings_are_found_with_the_words_that_decided(name, kind, found):
    answer = scoring.compare(name, kind, LISTED, MODELS.newest())
    assert list(answer["found"]) == ([found] if found else [])
    for one in answer["found"].values():
        assert one["score"] >= 0.66
        assert all(part["why"] for part in one["parts"])


def test_one_scorer_serves_all_processes():
    first = scoring.socket_path().stat().st_ino
    code = (
        "from onboarding.screening import scoring; from onboarding.screening.model import MODELS;"
        "print(scoring.compare('x', 'person', {1: ['y']}, MODELS.newest())['found'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=scoring.PROJECT,
        check=True,
    )
    assert said.stdout.strip() == "{}"
    assert scoring.socket_path().stat().st_ino == first


def test_spellings_of_one_name_share_keys():
    for one, other in (
        ("Moammar Qadhafi", "Каддафи"),
        ("Qadhafi", "Gaddafi"),
        ("الظواهري", "al-Zawahiri"),
        ("Ltd Vorkesh", "Vorkish"),
        ("Petrov", "Pterov"),
    ):
        assert {key for key in name_keys(one) if key[0] != "^"} & set(name_keys(other)), one
