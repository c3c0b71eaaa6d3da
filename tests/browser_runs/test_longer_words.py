"""R26: every page has room for words that are 40 % longer, on a phone and on a wide screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser_runs import looking, zooming
from tests.browser_runs.conftest import At
from tests.browser_runs.who import SHOWN, who_may_open
from tests.matrices.test_translation import ENGLISH
from tests.matrices.world import World
from tests.proofs import Proven, proof
from tests.pseudo_locale import OPEN, pseudo_locale

pytestmark = [pytest.mark.browser, pytest.mark.check]
LOOKS = (("light", 1440), ("light", 390))


@proof("R26", "longer words", asked="0 pages whose text is cut off or sticks out at +40 %")
def test_every_page_has_room_for_longer_words(proven: Proven, world: World, at: At):
    pages = [page for page in SHOWN if not ENGLISH.match(page.name)]
    faults = []
    with pseudo_locale():
        for page in pages:
            visitor = at(who_may_open(page, world)).go(page.at(world.values))
            assert OPEN in visitor.content(), page.name
            faults += [f"{page} {fault}" for fault in _faults(visitor)]
    figure = f"{len(pages)} pages, {len(faults)} faults"
    proven.reached(figure, met=not faults and len(pages) > 40, wrong=faults)


def _faults(page: Page) -> Iterator[str]:
    for look in LOOKS:
        looking.put_on(page, look)
        if (over := page.evaluate(looking.OVERFLOW)) > 0:
            yield f"at {look[1]} px is {over} px wider than the window"
        # The way to a page ends in "…" where it does not fit; the page's heading says it in full.
        cut = [one for one in page.evaluate(zooming.CLIPPED) if "<li aria-current" not in one]
        yield from (f"at {look[1]} px: {fault}" for fault in cut)
