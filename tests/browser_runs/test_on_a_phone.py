"""The top of narrow pages."""

import pytest
from django.urls import reverse

from tests.browser_runs import looking
from tests.browser_runs.conftest import At

pytestmark = pytest.mark.browser
PHONE = ("light", 390)
IN_SIGHT = """tab => {
  const row = tab.parentElement.getBoundingClientRect(), box = tab.getBoundingClientRect();
  return row.left <= box.left && box.right <= row.right;
}"""


@pytest.mark.parametrize("tab", ["review", "history"])
def test_the_open_tab_of_a_case_is_in_sight(at: At, world, to_approve, tab):
    case = reverse("agreements:case", args=[to_approve.application.public_id])
    visitor = at(world.people["compliance"])
    looking.put_on(visitor.page, PHONE)
    page = visitor.go(f"{case}?show={tab}")
    assert page.locator(".tabs [aria-current]").evaluate(IN_SIGHT)
    visitor.said.clear()
