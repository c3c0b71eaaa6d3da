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
WITHIN = """head => {
  const list = head.closest('.scroll').getBoundingClientRect(), box = head.getBoundingClientRect();
  return box.width > 0 && box.right <= list.right;
}"""


@pytest.mark.parametrize("tab", ["review", "history"])
def test_the_open_tab_of_a_case_is_in_sight(at: At, world, to_approve, tab):
    case = reverse("agreements:case", args=[to_approve.application.public_id])
    visitor = at(world.people["compliance"])
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(f"{case}?show={tab}")
    assert page.locator(".tabs [aria-current]").evaluate(IN_SIGHT)
    visitor.said.clear()


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("apikeys:webhooks", "Health"),
        ("apikeys:staff_endpoints", "Health"),
        ("apikeys:deliveries", "Status"),
        ("apikeys:own_products", "Available in"),
        ("governance:log", "What happened"),
    ],
)
def test_how_each_line_fares_is_in_sight(at: At, world, name, column):
    (shown,) = (page for page in SHOWN if page.name == name)
    visitor = at(who_may_open(shown, world))
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(shown.at(world.values))
    heads = page.get_by_role("columnheader", name=column)
    assert heads.count()
    assert all(head.evaluate(WITHIN) for head in heads.all())
    visitor.said.clear()
