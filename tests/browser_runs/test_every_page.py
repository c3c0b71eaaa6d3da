"""R24: every page of the URL table in a real browser, visited once.

It is checked in every theme and width, and at 200 % zoom, where it must show the same text as at
100 % and must not scroll sideways (1.4.4).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.browser_runs import looking, zooming
from tests.browser_runs.conftest import At
from tests.browser_runs.looking import Tour
from tests.browser_runs.who import SHOWN, who_may_open
from tests.matrices.world import World
from tests.proofs import Proven, proof

pytestmark = [pytest.mark.browser, pytest.mark.check]


class Visited(NamedTuple):
    """The faults of every page: as it is, and zoomed."""

    tour: Tour
    zoomed: list[str]


@pytest.fixture(scope="module")
def visited(world: World, at: At, django_db_blocker: Any) -> Iterator[Visited]:
    """Open every page once."""
    tour, zoomed = Tour(), []
    with django_db_blocker.unblock():
        for shown in SHOWN:
            visitor = at(who_may_open(shown, world))
            tour.go(visitor, shown.name, shown.at(world.values))
            zoomed += [f"{shown} {fault}" for fault in zooming.faults_of(visitor.page)]
            visitor.said.clear()
        yield Visited(tour, zoomed)


@proof("R24", "every page, after execution", asked="0 faults in 2 themes x 3 widths")
def test_no_page_has_a_fault(proven: Proven, visited: Visited):
    visited.tour.prove(proven, least=41)


@proof("R24", "200 % zoom", asked="0 words lost, 0 pages that scroll sideways")
def test_every_page_can_be_read_at_twice_its_size(proven: Proven, visited: Visited):
    figure = f"{len(visited.zoomed)} faults on {visited.tour.pages} pages"
    met = not visited.zoomed and visited.tour.pages > 40
    proven.reached(figure, met=met, wrong=visited.zoomed)


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("<p>fine</p>", ""),
        ("<p style='width: 900px'>wide</p>", "px wider"),
        ("<style>@media (width < 800px) { p { display: none } }</style><p>gone", "lost ['gone']"),
        ("<p style='width: 3em; overflow: hidden; white-space: nowrap'>Cut off at its end", "cut"),
    ],
)
def test_what_is_lost_is_found(at: At, page: str, fault: str):
    visitor = at(None).go("about:blank")
    looking.put_on(visitor, zooming.WHOLE)
    visitor.set_content(f"<main>{page}</main>")
    said = visitor.evaluate(zooming.WORDS)
    looking.put_on(visitor, zooming.ZOOMED)
    found = " ".join(zooming.lost(visitor, said))
    assert fault in found if fault else not found
