"""R24: at 200 % a page says all that it says at 100 %, and does not scroll sideways (1.4.4)."""

import pytest

from tests.browser_runs import looking
from tests.browser_runs.conftest import At
from tests.browser_runs.who import SHOWN, who_may_open
from tests.proofs import Proven, proof

pytestmark = pytest.mark.browser
WHOLE = ("light", 1440)
ZOOMED = ("light", 720)  # what a browser makes of that window when it shows all twice as large
LARGE_TEXT = "() => document.documentElement.style.fontSize = '200%'"
WORDS = "() => document.querySelector('main').innerText.split(/\\s+/)"
# Words that stand outside a box which neither scrolls nor lets them out.
CLIPPED = """() => [...document.querySelectorAll('body *')]
  .filter(at => at.checkVisibility({visibilityProperty: true}) && !at.closest('.sr, .skip, svg'))
  .filter(at => [...at.childNodes].some(one => one.nodeType === 3 && one.data.trim()))
  .filter(at => ['hidden', 'clip'].includes(getComputedStyle(at).overflowX))
  .filter(at => at.scrollWidth > at.clientWidth + 1 || at.scrollHeight > at.clientHeight + 3)
  .map(at => `cut off: ${at.outerHTML.slice(0, 120)}`)"""


@proof("R24", "200 % zoom", asked="0 words lost, 0 pages that scroll sideways")
def test_every_page_can_be_read_at_twice_its_size(proven: Proven, world, at):
    wrong: list[str] = []
    for shown in SHOWN:
        visitor = at(who_may_open(shown, world))
        page = visitor.go(shown.at(world.values))
        page.wait_for_load_state("load")
        looking.put_on(page, WHOLE)
        said = page.evaluate(WORDS)
        looking.put_on(page, ZOOMED)
        wrong += [f"{shown} at 200 %: {fault}" for fault in faults(page, said)]
        looking.put_on(page, WHOLE)
        page.evaluate(LARGE_TEXT)
        wrong += [f"{shown} with large text: {fault}" for fault in faults(page, said)]
        visitor.said.clear()

    figure = f"{len(wrong)} faults on {len(SHOWN)} pages"
    proven.reached(figure, met=not wrong and len(SHOWN) > 40, wrong=wrong)


def faults(page, said):
    """What got lost of the words that were said, what is cut off, what sticks out."""
    if (over := page.evaluate(looking.OVERFLOW)) > 0:
        yield f"it is {over} px wider than the window"
    if lost := set(said) - set(page.evaluate(WORDS)):
        yield f"lost {sorted(lost)[:12]}"
    yield from page.evaluate(CLIPPED)


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
    looking.put_on(visitor, WHOLE)
    visitor.set_content(f"<main>{page}</main>")
    said = visitor.evaluate(WORDS)
    looking.put_on(visitor, ZOOMED)
    found = " ".join(faults(visitor, said))
    assert fault in found if fault else not found
