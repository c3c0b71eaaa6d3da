"""R24: every page of the URL table in a real browser, in every theme and width."""

import pytest

from tests.browser_runs.looking import Tour
from tests.browser_runs.who import SHOWN, who_may_open
from tests.proofs import Proven, proof

pytestmark = pytest.mark.browser


@proof("R24", "every page, after execution", asked="0 faults in 2 themes x 3 widths")
def test_no_page_has_a_fault(proven: Proven, world, at):
    tour = Tour()
    for page in SHOWN:
        tour.go(at(who_may_open(page, world)), page.name, page.at(world.values))

    tour.prove(proven, least=41)
