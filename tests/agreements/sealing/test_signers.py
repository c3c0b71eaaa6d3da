"""The script and the checker count who signed, and know bundles from before several could."""

import pytest

from tests.agreements.sealing.made import IFAN, MARA, a_bundle
from tests.agreements.sealing.test_assertions import checked

OTHER = "una@kettle.example"


@pytest.mark.parametrize(
    ("signers", "needs", "is_right"),
    [
        ((MARA,), None, True),
        ((MARA,), 1, True),
        ((MARA, IFAN), 2, True),
        ((MARA,), 2, False),
        ((MARA, MARA), 2, False),
        ((MARA, OTHER), 2, False),
        ((MARA, IFAN, OTHER), 2, False),
    ],
)
def test_enough_of_those_whom_the_offer_names_have_signed(tmp_path, signers, needs, is_right):
    files = a_bundle(codes=("MSA",), signers=signers, needs=needs).files()
    for asked in checked(tmp_path / "pack", files):
        lines = asked.stdout.splitlines()
        wrong = [one for one in lines if one.endswith("FAILED") or one.startswith("WRONG")]
        assert (asked.returncode == 0) == is_right, asked.stdout
        assert is_right or ["nough of those whom the offer names" in one for one in wrong] == [True]
