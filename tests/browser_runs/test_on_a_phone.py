"""The top of narrow pages, and the lists on them."""

import pytest
from django.urls import reverse

from tests.browser_runs import looking
from tests.browser_runs.conftest import At
from tests.browser_runs.who import SHOWN, who_may_open

pytestmark = [pytest.mark.browser, pytest.mark.check]
PHONE = ("light", 390)
IN_SIGHT = """tab => {
  const row = tab.parentElement.getBoundingClientRect(), box = tab.getBoundingClientRect();
  return row.left <= box.left && box.right <= row.right;
}"""
# What is wrong with the tables' cells: they are beside the screen, or do not name their column.
CARDS = """() => [...document.querySelectorAll('table.t tbody :is(td, th)')]
  .filter(cell => cell.checkVisibility())
  .flatMap(cell => {
    const box = cell.getBoundingClientRect(), head = cell.closest('table').tHead.rows[0];
    const column = head.cells[[...cell.parentElement.cells].indexOf(cell)];
    const named = cell.matches('th') || column.querySelector('.sr')
      || getComputedStyle(cell, '::before').content === `"${column.textContent.trim()}"`;
    return box.right > innerWidth || !named ? [cell.outerHTML.slice(0, 100)] : [];
  })"""


@pytest.mark.parametrize("tab", ["review", "history"])
def test_the_open_tab_of_a_case_is_in_sight(at: At, world, to_approve, tab):
    case = reverse("agreements:case", args=[to_approve.application.public_id])
    visitor = at(world.people["compliance"])
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(f"{case}?show={tab}")
    assert page.locator(".tabs [aria-current]").evaluate(IN_SIGHT)
    visitor.said.clear()


@pytest.mark.parametrize(
    "name",
    [
        "accounts:team",
        "apikeys:webhooks",
        "apikeys:staff_endpoints",
        "apikeys:deliveries",
        "apikeys:keys",
        "apikeys:grants",
        "apikeys:network_requests",
        "apikeys:own_products",
        "api:log",
        "api:docs",
        "governance:log",
        "publishing:versions",
    ],
)
def test_rows_are_cards_that_name_each_column(at: At, world, name):
    (shown,) = (page for page in SHOWN if page.name == name)
    visitor = at(who_may_open(shown, world))
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(shown.at(world.values))
    assert page.locator("table.t tbody tr").count()
    assert page.evaluate(CARDS) == []
    visitor.said.clear()


def test_a_button_in_the_head_of_a_page_stays_left(at: At, world):
    visitor = at(world.people["owner"])
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(reverse("accounts:team", args=[world.ours.public_id]))
    start = "at => at.getBoundingClientRect().left"
    assert page.locator(".head > .spread").evaluate(start) == page.locator("h1").evaluate(start)
    visitor.said.clear()


def test_the_documentation_begins_with_its_content(at: At):
    visitor = at(None)
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(reverse("api:docs"))
    top, contents = (page.locator(at).bounding_box() for at in ("h1", ".contents"))
    assert top is not None
    assert contents is not None
    assert top["y"] < PHONE[1] < contents["y"]
    visitor.said.clear()
