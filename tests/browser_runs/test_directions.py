"""Names in mixed scripts are seen in the browser as in the PDF: their first letter decides."""

import pytest

from tests import factories
from tests.onboarding.intake.conftest import at  # noqa: F401
from tests.onboarding.intake.sending import address

NAME = "חברת ABC בע״מ"
# The left edges of the first and the last word.
EDGES = """element => [0, NAME.length - 4].map(start => {
  const range = document.createRange(), node = document.createTreeWalker(element, 4).nextNode();
  const at = node.data.indexOf(NAME) + start;
  range.setStart(node, at); range.setEnd(node, at + 4);
  return range.getBoundingClientRect().left; })""".replace("NAME", f'"{NAME}"')

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_first_word_of_a_hebrew_name_is_seen_on_the_right(at):  # noqa: F811
    application = factories.an_application("answered", li_legal_name=NAME)
    page = at(factories.owner_of(application.business)).go(address(application, "check"))
    first, last = page.locator("dd", has_text=NAME).first.locator("bdi").evaluate(EDGES)
    assert first > last
    page.goto(page.url.replace("/check/", "/legal_identity/"))
    field = page.locator("#q-li_legal_name")
    assert field.evaluate("one => getComputedStyle(one).direction") == "rtl"
    assert page.locator("#q-li_register").evaluate("one => one.matches(':dir(ltr)')")
