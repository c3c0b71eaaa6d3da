"""What a page loses at 200 %: words, or that it can be read without scrolling sideways (1.4.4)."""

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.browser_runs import looking

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


def faults_of(page: Page) -> Iterator[str]:
    """Yield what is wrong with the page when it is zoomed, and when its text alone is large."""
    looking.put_on(page, WHOLE)
    said = page.evaluate(WORDS)
    looking.put_on(page, ZOOMED)
    yield from (f"at 200 %: {fault}" for fault in lost(page, said))
    looking.put_on(page, WHOLE)
    page.evaluate(LARGE_TEXT)
    yield from (f"with large text: {fault}" for fault in lost(page, said))


def lost(page: Page, said: list[str]) -> Iterator[str]:
    """Yield what got lost of the words that were said, what is cut off, what sticks out."""
    if (over := page.evaluate(looking.OVERFLOW)) > 0:
        yield f"it is {over} px wider than the window"
    if lost := set(said) - set(page.evaluate(WORDS)):
        yield f"lost {sorted(lost)[:12]}"
    yield from page.evaluate(CLIPPED)
