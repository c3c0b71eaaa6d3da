"""No value of a CSV file starts a formula, whatever separator its reader was told."""

import csv
import re

import pytest

from console.shell import csv_export

HOSTILE = [
    "=1+1", "  =1+1", "\t=1", "@SUM(A1)", "＝1+1", "Ann;=1+1;Lee", "Ann,=1+1", "Ann|=1+1",
    "Ann\t=1+1", "Ann\n=1+1", "Ann\r\n=1+1", "Ann; @x", "Ann;＋1", "Ann;;=1", '";=1+1;"', "-1;-2",
]  # fmt: skip
PLAIN = ["Ann;Lee", "a=b", "1-2", "ann@example.com", "Ann, Lee", '{"a": -1}', "", "0"]


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("separator", [",", ";", "|", "\t"])
def test_no_reader_gets_a_formula(value, separator):
    text = "".join(csv_export.lines([["name", value, "after"]])).removeprefix("\ufeff")
    for row in csv.reader(text.splitlines(), delimiter=separator):
        for cell in row:
            assert not re.match(r"[\s\"]*[=+\-@＝＋－＠]", cell), (row, cell)


@pytest.mark.parametrize("value", PLAIN)
def test_other_values_stay_as_they_are(value):
    assert csv_export.cell(value) == value
