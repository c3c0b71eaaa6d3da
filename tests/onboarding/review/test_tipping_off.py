"""A business cannot tell a hold or a possible match from an ordinary review."""

import re
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from apikeys.going_live import live_readiness
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.events import public_kinds
from console.events.models import Event
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Application, Check
from onboarding.models.check import CheckKind
from onboarding.review import decisions
from onboarding.risk import assessments
from tests import factories
from tests.matrices.pages import PAGES
from tests.onboarding import answered
from tests.onboarding.screening import listed

NOTE = "A name that is on a list."
# Values that differ each time a page is loaded.
CHANGES = re.compile(r'(csrfmiddlewaretoken" value|name="once" value)="[^"]+"')
STATES = ("in review", "on hold", "possible match")


@pytest.fixture
def application() -> Application:
    """Return an application in review whose checks have all passed."""
    application = factories.a_reviewed_application(**answered.HIGH)
    factories.settle()
    return application


def bring(application: Application, state: str) -> None:
    """Bring an application to a state, as reviewers or a list match would."""
    if state == "on hold":
        decisions.hold(application, note=NOTE, by=factories.one_of_staff(Role.COMPLIANCE))
    if state == "possible match":
        check = Check.objects.filter(application=application, kind=CheckKind.SCREENING).first()
        assert check is not None
        listed.a_refused_match(check)
        check.refresh_from_db()
        assert check.status == CheckStatus.NEEDS_REVIEW
        assessments.make(application, by=SYSTEM)
    factories.settle()


def pages_of(application: Application) -> dict[str, tuple[int, str]]:
    """Return the status and text of every page of the business, and of a search, for its owner."""
    business = application.business.public_id
    owner = factories.signed_in(Client(), factories.owner_of(application.business))
    read = [
        page
        for page in PAGES
        if page.required.kind == "business"
        and page.parameters == ("business_id",)
        and "GET" in page.required.methods
    ]
    assert len(read) > 15
    addresses = {page.name: reverse(page.name, args=[business]) for page in read}
    addresses["search"] = reverse("shell:search") + f"?q={application.public_id}"
    addresses["home"] = reverse("shell:home")
    found: dict[str, Any] = {name: owner.get(address) for name, address in addresses.items()}
    return {name: (one.status_code, CHANGES.sub("", one.text)) for name, one in found.items()}


@pytest.mark.parametrize("state", STATES[1:])
def test_no_page_search_or_mail_tells_a_hold_or_a_match_from_a_review(application, state):
    before, mails = pages_of(application), len(mail.outbox)

    bring(application, state)

    after = pages_of(application)
    assert [name for name in before if before[name] != after[name]] == []
    ours = factories.owner_of(application.business).email
    assert [one.subject for one in mail.outbox[mails:] if ours in one.to] == []


@pytest.mark.parametrize("tier", [{}, answered.HIGH], ids=["low", "high"])
def test_the_promised_day_is_the_same_for_every_tier(tier):
    application = factories.an_application(ApplicationStatus.SUBMITTED, **tier)
    business = application.business.public_id
    owner = factories.signed_in(Client(), factories.owner_of(application.business))
    page = reverse("onboarding:access", args=[business])
    day = re.compile(r"We expect to answer by</dt><dd>([^<]+)<")
    before = day.findall(owner.get(page).text)
    assessments.make(application, by=SYSTEM)
    assert day.findall(owner.get(page).text) == before
    assert before


def withdrawn(application: Application) -> tuple[dict[str, tuple[int, str]], list[str]]:
    """Withdraw twice and start again; return the pages after withdrawing, and the responses."""
    business = application.business.public_id
    owner = factories.signed_in(Client(), factories.owner_of(application.business))
    press = reverse("onboarding:withdraw", args=[business])
    answers = [owner.post(press, follow=True), owner.post(press, follow=True)]
    again = [CHANGES.sub("", one.text) for one in answers]
    read = pages_of(application)
    started = owner.post(reverse("onboarding:start", args=[business]), follow=True)
    return read, [*again, str(started.status_code), str("section 1 of" in started.text)]


@pytest.mark.parametrize("state", STATES[1:])
def test_withdrawing_reads_the_same_and_lets_the_business_start_anew(application, state):
    with transaction.atomic():
        plain = withdrawn(application)
        transaction.set_rollback(True)
    bring(application, state)
    assert withdrawn(application) == plain
    status = factories.fresh(application).status
    assert status == ("held" if state == "on hold" else "withdrawn")


def a_withdrawn_hold(application: Application) -> Application:
    bring(application, "on hold")
    owner = factories.owner_of(application.business)
    return applications.withdraw(factories.fresh(application), by=owner)


@pytest.mark.parametrize("route", ["onboarding:release", "onboarding:decline"])
def test_staff_see_the_withdrawal_and_decide_without_telling(application, route):
    held = a_withdrawn_hold(application)
    newer = applications.start(held.business, by=factories.owner_of(held.business))
    head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    staff = factories.signed_in(Client(), head)
    assert "The business withdrew this application" in staff.get(held.case_url).text
    queue = staff.get(reverse("onboarding:review_queue")).text
    assert "On hold, withdrawn by the business" in queue
    before, mails = pages_of(newer), len(mail.outbox)
    newest = Event.objects.latest("pk").pk

    answer = staff.post(reverse(route, args=[held.public_id]), {"note": NOTE}, follow=True)

    assert answer.status_code == 200
    ended = factories.fresh(held)
    assert ended.status == ("withdrawn" if route == "onboarding:release" else "declined")
    assert ended.told_status == ApplicationStatus.WITHDRAWN
    factories.settle()
    assert pages_of(newer) == before
    assert mail.outbox[mails:] == []
    later = Event.objects.filter(subject_id=held.public_id, pk__gt=newest)
    assert [told for one in later for told in public_kinds.told_of(one, ended)] == []
    assert factories.fresh(newer).status == ApplicationStatus.DRAFT


def test_an_open_check_of_a_running_business_names_neither_check_nor_person():
    pack = factories.a_pack(at="executed")
    factories.settle()
    business = pack.business
    checks = Check.objects.filter(application__business=business)
    said = set()
    for kind in (CheckKind.REGISTRY, CheckKind.SCREENING):
        check = checks.filter(kind=kind).first()
        assert check is not None
        for status in (CheckStatus.RUNNING, CheckStatus.NEEDS_REVIEW):
            checks.filter(pk=check.pk).update(status=status)
            (line,) = (one for one in live_readiness.lines(business, []) if one.key == "checks")
            said.add((line.title, line.words, line.turn))
    assert len(said) == 1
    assert "Mara" not in str(said)
