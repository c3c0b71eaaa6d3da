"""Checks of the page in a browser: accessibility, overflow and target size.

A screenshot is saved of every faulty page, and of all pages if PICTURES is set.
"""

import os
import re
import tempfile
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser import Visitor
from tests.proofs import Proven, is_full

WIDTHS = (1440, 1024, 390)
THEMES = ("light", "dark")
RULES = {
    "resultTypes": ["violations"],
    "preload": False,
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
WITHOUT_CONTRAST = RULES | {"rules": {"color-contrast": {"enabled": False}}}
# Painted text: its colour, background, size and weight.
PAINTED = """() => {
  const style = at => getComputedStyle(at);
  const isClear = at => /^rgba.* 0[)]$/.test(style(at).backgroundColor);
  const behind = at => at.parentElement && isClear(at) ? behind(at.parentElement) : at;
  const says = at => at.matches('input, select, textarea')
    || [...at.childNodes].some(one => one.nodeType === 3 && one.data.trim());
  return [...new Set([...document.querySelectorAll('body *')].filter(says).map(at =>
    [style(at).color, style(behind(at)).backgroundColor, style(at).font, style(at).opacity].join()
  ))];
}"""
HEIGHT = 900
# How far the page, or a part that does not scroll, overflows to the right.
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# WCAG 2.5.8: a target is 24 px each way, unless it is in a line of text or its label.
SMALL_TARGETS = """() => [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter(at => at.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .filter(at => getComputedStyle(at).display !== 'inline')
  .map(at => (at.matches('[type=radio], [type=checkbox]') && at.closest('label')) || at)
  .filter(at => !at.closest('.skip, .sr'))
  .map(at => [at.outerHTML.slice(0, 100), at.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
  .map(([what, box]) => `${what} is ${box.width.toFixed()} x ${box.height.toFixed()}`)"""
# Classes without a rule in the page's stylesheets; icons have names of their own.
WITHOUT_A_RULE = """() => {
  const rules = of => [...of].flatMap(one =>
    [one.selectorText || '', ...rules(one.styleSheet?.cssRules || one.cssRules || [])]);
  const sheets = [...document.styleSheets].flatMap(sheet => rules(sheet.cssRules));
  const known = new Set(sheets.join(' ').match(/[.][a-z][\\w-]*/gi));
  const named = [...document.querySelectorAll('[class]:not(.lucide)')]
    .flatMap(at => [...at.classList]);
  // Classes of libraries: htmx marks what it asks for, segno its drawings.
  const ours = name => !name.startsWith('htmx-') && name !== 'qrline';
  return [...new Set(named)].filter(name => ours(name) && !known.has(`.${name}`));
}"""
# The focused element: is it visible, marked and not covered?
FOCUS = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const box = at.getClientRects()[0];
  const spots = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]];
  const seen = !!box && spots.some(([x, y]) => {
    const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
    return !!top && (at === top || at.contains(top) || top.contains(at));
  });
  const label = at.closest('label');
  const marked = [at, label].some(one => one && getComputedStyle(one).outlineStyle !== 'none');
  return {what: at.outerHTML.slice(0, 100), seen, marked};
}"""


LOOKS = tuple((theme, width) for theme in THEMES for width in WIDTHS)
# What a browser logs by itself for a page that answers 403, 404, 409, 422, 429 or 500.
NO_FAULT = re.compile(r"Failed to load resource.*status of (4\d\d|500)")


class Tour:
    """A visit to many pages. `wrong` lists all faults in words.

    In `make prove`, every page is checked in every look; otherwise in one look, the next page in
    another. Contrast, half the cost of a look, is then measured only for new styles of text.
    """

    _painted: set[str] = set()

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.pages = self.seen = 0
        self._turns = cycle(LOOKS[::-1])

    def go(self, visitor: Visitor, name: str, path: str) -> None:
        """Open a page and check it."""
        visitor.go(path)
        self.look(visitor, name)

    def look(self, visitor: Visitor, name: str) -> None:
        """Check the visitor's current page once its styles are loaded."""
        visitor.page.wait_for_load_state("load")
        self.pages += 1
        for look in LOOKS if is_full() else [next(self._turns)]:
            put_on(visitor.page, look)
            painted = set(visitor.page.evaluate(PAINTED))
            rules = RULES if is_full() or painted - self._painted else WITHOUT_CONTRAST
            self._painted |= painted
            self.wrong += faults(visitor.page, name, look, rules)
            self.seen += 1
        self.wrong += [f"{name} said: {w}" for w in visitor.said if not NO_FAULT.search(w)]
        visitor.said.clear()

    def prove(self, proven: Proven, *, least: int) -> None:
        """Report the result; a fault is a failure, and so are too few pages."""
        figure = f"{self.pages} pages, {self.seen} looks, {len(self.wrong)} faults"
        proven.reached(figure, met=not self.wrong and self.pages >= least, wrong=self.wrong)


def put_on(page: Page, look: tuple[str, int]) -> None:
    """Show the page in that theme at that width."""
    theme, width = look
    # Without animations, so that no colour is measured during a change of theme.
    scheme: Literal["dark", "light"] = "dark" if theme == "dark" else "light"
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": HEIGHT})


def faults(page: Page, name: str, look: tuple[str, int], rules: Mapping[str, Any]) -> list[str]:
    """Return the faults of the page as it is, in words."""
    found = [*_axe(page, rules), *page.evaluate(SMALL_TARGETS)]
    found += [f"no rule for .{name}" for name in page.evaluate(WITHOUT_A_RULE)]
    if (over := page.evaluate(OVERFLOW)) > 0:
        found.append(f"it is {over} px wider than the window")
    kept = picture(page, name, look) if found or "PICTURES" in os.environ else None
    if found:
        found.append(f"see {kept}")
    return [f"{name} {look[0]} {look[1]}: {fault}" for fault in found]


def picture(page: Page, name: str, look: tuple[str, int]) -> Path:
    """Save a screenshot of the page."""
    folder = Path(tempfile.gettempdir()) / "console-pictures"
    folder.mkdir(exist_ok=True)
    to = folder / f"{name.replace(':', '_')}-{look[0]}-{look[1]}.png"
    page.screenshot(path=to, full_page=True)
    return to


def stops(page: Page, most: int) -> list[dict[str, Any]]:
    """Tab through the page, and yield for each stop whether it is visible."""
    found: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None:
            break
        found.append(stop)
    return found


def _axe(page: Page, rules: Mapping[str, Any]) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # Only what is wanted leaves the browser: the driver inspects each member of a result.
    violations = page.evaluate("rules => axe.run(rules).then(found => found.violations)", rules)
    return [
        f"{fault['id']}: {node['html'][:140]} ({_detail(node)})"
        for fault in violations
        for node in fault["nodes"]
    ]


def _detail(node: Any) -> str:
    return " ".join(str(node.get("failureSummary", "")).split())[:200]
