"""Checks at 200 % zoom: no text is lost, and the page does not scroll sideways (1.4.4)."""

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser_runs import looking

WHOLE = ("light", 1440)
ZOOMED = ("light", 720)  # the width that a browser reports for that window at 200 % zoom
LARGE_TEXT = "() => document.documentElement.style.fontSize = '200%'"
WORDS = "() => document.querySelector('main').innerText"
# Text outside a box that neither scrolls nor shows overflow.
CLIPPED = """() => [...document.querySelectorAll('body *')]
  .filter(at => at.checkVisibility({visibilityProperty: true}) && !at.closest('.sr, .skip, svg'))
  .filter(at => [...at.childNodes].some(one => one.nodeType === 3 && one.data.trim()))
  .filter(at => ['hidden', 'clip'].includes(getComputedStyle(at).overflowX))
  .filter(at => at.scrollWidth > at.clientWidth + 1 || at.scrollHeight > at.clientHeight + 3)
  .map(at => `cut off: ${at.outerHTML.slice(0, 120)}`)"""


def faults_of(page: Page) -> Iterator[str]:
    """Yield the faults of the page when zoomed, and with enlarged text only."""
    looking.put_on(page, WHOLE)
    said = page.evaluate(WORDS)
    looking.put_on(page, ZOOMED)
    yield from (f"at 200 %: {fault}" for fault in lost(page, said))
    looking.put_on(page, WHOLE)
    page.evaluate(LARGE_TEXT)
    yield from (f"with large text: {fault}" for fault in lost(page, said))


def lost(page: Page, said: str) -> Iterator[str]:
    """Yield which text was lost, which is cut off, and what overflows."""
    if (over := page.evaluate(looking.OVERFLOW)) > 0:
        yield f"it is {over} px wider than the window"
    # Split here, because the driver inspects each item of a list.
    if lost := set(said.split()) - set(page.evaluate(WORDS).split()):
        yield f"lost {sorted(lost)[:12]}"
    yield from page.evaluate(CLIPPED)
