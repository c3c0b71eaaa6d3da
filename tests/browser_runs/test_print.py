"""Printed pages contain the content without the navigation."""

import pytest

from tests.browser_runs import looking
from tests.browser_runs.who import who_may_open
from tests.matrices.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.check]
PRINTED = (
    "onboarding:submitted",
    "agreements:pack",
    "agreements:document",
    "agreements:case",
    "governance:log",
)
# The printable area of A4 at 96 pixels per inch.
PAPER = {"width": 700, "height": 1000}
FRAME = ".rail, .topbar, .ribbon, .toasts, main form button"


@pytest.mark.parametrize("name", PRINTED)
def test_a_page_is_printed_without_its_frame(world, at, name):
    page = next(one for one in PAGES if one.name == name)
    shown = at(who_may_open(page, world)).go(page.at(world.values))
    shown.set_viewport_size(PAPER)
    shown.emulate_media(media="print")
    try:
        assert [one for one in shown.locator(FRAME).all() if one.is_visible()] == []
        assert shown.locator("main h1").is_visible()
        assert shown.evaluate(looking.OVERFLOW) <= 0
    finally:
        shown.emulate_media(media="screen")
