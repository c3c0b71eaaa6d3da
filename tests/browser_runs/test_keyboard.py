"""R24: keyboard users see the focus at every stop on a page."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser

from tests.browser_runs import looking
from tests.browser_runs.conftest import At
from tests.keyboard import ByKeyboard
from tests.matrices.pages import PAGES
from tests.proofs import Proven, is_full, proof, size

pytestmark = [pytest.mark.browser, pytest.mark.check]
# Pages with sticky bars, long lists, scrolling tables, and forms.
MAIN = {
    "api:home": "owner",
    "accounts:team": "owner",
    "accounts:sign_up": "",
    "onboarding:access": "owner",
    "agreements:pack": "owner",
    "agreements:document": "owner",
    "agreements:verify": "",
    "apikeys:keys": "owner",
    "apikeys:new_key": "owner",
    "onboarding:review_queue": "compliance",
    "agreements:case": "compliance",
    "governance:log": "auditor",
}


@proof("R24", "the focus", asked="0 stops hidden or unmarked")
def test_every_stop_is_seen_and_marked(proven: Proven, world, at, to_approve):
    pages = {page.name: page for page in PAGES}
    visits = [
        (at(world.people[who] if who else None), pages[name].at(world.values))
        for name, who in MAIN.items()
    ]
    case = reverse("agreements:case", args=[to_approve.application.public_id])
    visits.append((at(world.people["legal"]), case))
    bad, count = [], 0
    looks = [("light", 1440), ("dark", 390)]
    for number, (visitor, path) in enumerate(visits):
        for look in looks if is_full() else [looks[number % 2]]:
            looking.put_on(visitor.page, look)
            stops = looking.stops(visitor.go(path), size(small=40, full=80))
            bad += [(path, look[1], stop) for stop in stops if not _is_good(stop)]
            count += len(stops)
        visitor.said.clear()

    figure = f"{len(bad)} of {count} stops on {len(visits)} pages"
    proven.reached(figure, met=not bad and count > 20 * len(visits), wrong=bad)


def _is_good(stop):
    return stop["seen"] and stop["marked"]


def test_a_stop_that_is_hidden_or_unmarked_is_found(at: At):
    page = at(None).go("about:blank")
    page.set_content(
        "<button>good</button><br><button style='outline: none'>unmarked</button><br>"
        "<button>hidden</button>"
        "<p style='position: fixed; inset: 3.1em 0 0; margin: 0; background: white'>front</p>"
    )
    found = looking.stops(page, 3)
    assert [_is_good(stop) for stop in found] == [True, False, False]


def test_what_keys_do_not_reach_is_not_reached(chromium: Browser, site: str):
    person = ByKeyboard(chromium, site)
    person.page.set_content("<button>one</button><div role=button tabindex=-1>two</div>")
    with pytest.raises(AssertionError, match="does not reach"):
        person.click(person.page.get_by_role("button", name="two"))
    person.close()
