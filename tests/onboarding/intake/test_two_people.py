"""R33: two people on one section lose no saved answer, over HTTP and in two browsers."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser

from console.accounts.roles import Role
from tests import factories
from tests.onboarding.intake.forms_over_http import OverHttp
from tests.onboarding.intake.in_a_browser import InABrowser
from tests.onboarding.intake.two_people import Ledger, run
from tests.proofs import Proven, proof

# Sequences that share one application; each starts from the answers the previous one left.
SHARED = 20
STEPS = 8


@proof("R33", "two people, one section, over HTTP", small=6, full=1_900)
def test_no_saved_answer_is_lost(proven: Proven):
    ledgers = []
    for begin in range(0, proven.size, SHARED):
        application = factories.an_application()
        owner = factories.owner_of(application.business)
        colleague = factories.a_member(application.business, Role.ADMINISTRATOR)
        ledgers.append(Ledger(application))
        for number in range(begin, min(begin + SHARED, proven.size)):
            random = Random(number)
            people = [
                OverHttp(who, application, saves_by_itself=random.random() < 0.6)
                for who in (owner, colleague)
            ]
            run(random, people, ledgers[-1], steps=STEPS)
    told(proven, ledgers)


@pytest.mark.check
@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@proof("R33", "the same in two browsers", small=5, full=100, asked=">= 100 sequences, 0 lost")
def test_no_saved_answer_is_lost_in_two_browsers(
    proven: Proven, chromium: Browser, live_server: Any, another_chromium: Browser
):
    application = factories.an_application()
    owner = factories.owner_of(application.business)
    colleague = factories.a_member(application.business, Role.ADMINISTRATOR)
    ledger = Ledger(application)
    for number in range(proven.size):
        random = Random(number)
        people = [
            InABrowser(browser, live_server.url, who, application, random)
            for browser, who in ((chromium, owner), (another_chromium, colleague))
        ]
        run(random, people, ledger, steps=6, patience=10)
        for person in people:
            person.close()
    told(proven, [ledger])


def told(proven: Proven, ledgers: list[Ledger]) -> None:
    """Report the counts and faults of all ledgers."""
    counted = sum((ledger.counted for ledger in ledgers), start=type(ledgers[0].counted)())
    faults = [fault for ledger in ledgers for fault in ledger.faults]
    names = ("sequences", "answers saved", "conflicts", "sessions ended")
    said = ", ".join(f"{counted[name]:,} {name}" for name in names)
    enough = counted["sequences"] >= proven.size and all(counted[name] for name in names)
    first = f": {faults[0]}" if faults else ""
    proven.reached(f"{said}, {len(faults)} lost or untrue{first}", met=enough and not faults)
