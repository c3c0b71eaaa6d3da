"""Screenshots of every page, in every state that the demo world provides."""

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.template import Context, Engine
from django.test import Client
from playwright.sync_api import Browser

from console.accounts.models import User
from console.launch.errors import Trouble
from tests import browser, factories
from tests.browser import Visitor
from tests.browser_runs.looking import THEMES, put_on
from tests.browser_runs.payments import of_every_kind
from tests.browser_runs.who import SHOWN, who_may_open
from tests.gallery import demo_world
from tests.gallery.demo_world import DemoState
from tests.matrices.pages import HOSTED, Page

FOLDER = Path(settings.ROOT) / "build" / "gallery"
WIDTHS = (1440, 390)
QUALITY = 55  # JPEG quality at which small type is still legible
# The element structure of a page. States that differ only in their text are shown once.
SHAPE = """() => [...document.querySelectorAll("main *:not(svg *)")]
    .map(at => at.tagName + at.className).join(" ")"""


@dataclass
class ShownPage:
    """A page, the states it was captured in, and the reasons it was not captured in others."""

    page: Page
    states: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    shapes: set[str] = field(default_factory=set)


def write(site: str, names: list[str]) -> bool:
    """Write the contact sheet of the named pages, or all; return whether all were reached.

    The sheet and its pictures are written to `build/gallery`.
    """
    payment = next(page for page in HOSTED if page.name == "hosted:session")
    looked_at = [page for page in SHOWN if page.name not in demo_world.LEADS_ON]
    wanted = [page for page in (*looked_at, payment) if not names or page.name in names]
    if unknown := set(names) - {page.name for page in wanted}:
        raise Trouble(f"There is no page {', '.join(sorted(unknown))}.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    states, pages = demo_world.states(), list[ShownPage]()
    with contextmanager(browser.opened)() as chromium:
        gallery = _Gallery(chromium, site)
        for number, page in enumerate(wanted, 1):
            see = gallery.see_payments if page is payment else gallery.see
            pages.append(see(page, states))
            seen = len(pages[-1].states) or "not reached"
            print(f"{number:>4} of {len(wanted)}  {page}: {seen}", flush=True)
    missed = [shown for shown in pages if not shown.states]
    template = Engine().from_string((Path(__file__).parent / "sheet.html").read_text())
    sheet = FOLDER / "index.html"
    sheet.write_text(template.render(Context({"pages": pages, "missed": missed, "site": site})))
    print(f"\n{len(pages) - len(missed)} of {len(pages)} pages are shown in {sheet}", flush=True)
    for shown in missed:
        print(f"Not reached: {shown.page} ({'; '.join(shown.refusals)})", flush=True)
    return not missed


class _Gallery:
    """One browser per person."""

    def __init__(self, chromium: Browser, site: str) -> None:
        self._chromium, self._site = chromium, site
        self._opened: dict[User | None, tuple[Visitor, Client]] = {}

    def see(self, page: Page, states: list[DemoState]) -> ShownPage:
        """Capture a page in each state, once per person and address."""
        shown, addresses = ShownPage(page), set[tuple[User | None, str]]()
        for state in states:
            try:
                person, address = who_may_open(page, state.world), page.at(state.world.values)
            except (AssertionError, StopIteration):
                shown.refusals.append(f"{state.name}: nothing to show, or nobody to see it")
                continue
            if (person, address) not in addresses:
                addresses.add((person, address))
                self._look(shown, state, person, address)
        return shown

    def see_payments(self, page: Page, states: list[DemoState]) -> ShownPage:
        """Capture the payment page in each status. The demo world has no sessions of its own."""
        shown = ShownPage(page)
        payable = next(state for state in states if "key_id" in state.world.values)
        origin = urlsplit(settings.CHECKOUT_ORIGIN)
        host = f"{origin.scheme}://{origin.hostname}:{urlsplit(self._site).port}"
        for kind, session in of_every_kind(payable.world).items():
            state = replace(payable, name=f"{payable.name}, {kind}")
            self._look(shown, state, None, f"{host}/checkout/{session.public_id}")
        return shown

    def _look(self, shown: ShownPage, state: DemoState, person: User | None, address: str) -> None:
        visitor = self._visitor(person)
        if before := demo_world.BEFORE.get(shown.page.name):
            before(visitor, self._opened[person][1])
        answer = visitor.page.goto(address)
        assert answer is not None
        if answer.status != 200 or urlsplit(answer.url).path != urlsplit(address).path:
            shown.refusals.append(f"{state.name}: {answer.status} at {urlsplit(answer.url).path}")
            return
        if (shape := visitor.page.evaluate(SHAPE)) in shown.shapes:
            return
        shown.shapes.add(shape)
        name = f"{shown.page.name.replace(':', '-')}-{len(shown.shapes)}"
        looks = [(theme, width) for theme in THEMES for width in WIDTHS]
        pictures = [_picture(visitor, name, *look) for look in looks]
        shown.states.append(
            {"where": state.name, "who": person, "address": address, "pictures": pictures}
        )

    def _visitor(self, person: User | None) -> Visitor:
        """Return the person's browser with their identity just confirmed."""
        if person not in self._opened:
            visitor, client = Visitor(self._chromium, self._site), Client()
            if person is not None:
                factories.signed_in(client, person)
                name = settings.SESSION_COOKIE_NAME
                cookie: Any = {"name": name, "value": client.cookies[name].value, "url": self._site}
                visitor.context.add_cookies([cookie])
            self._opened[person] = visitor, client
        visitor, client = self._opened[person]
        if person is not None:
            factories.just_now(client)
        return visitor


def _picture(visitor: Visitor, name: str, theme: str, width: int) -> dict[str, Any]:
    """Save a screenshot of the whole page."""
    put_on(visitor.page, (theme, width))
    # Elements fixed to the bottom of the window would cover the middle of the page.
    height = visitor.page.evaluate("document.documentElement.scrollHeight")
    visitor.page.set_viewport_size({"width": width, "height": height})
    file = f"{name}-{theme}-{width}.jpg"
    visitor.page.screenshot(path=FOLDER / file, full_page=True, type="jpeg", quality=QUALITY)
    return {"file": file, "theme": theme, "width": width}
