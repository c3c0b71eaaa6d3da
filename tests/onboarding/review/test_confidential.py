"""What compliance writes is read by compliance alone, on every page, in downloads and e-mails."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from apikeys.allowlist import allowlist
from apikeys.suspension import suspension
from apikeys.webhooks import endpoints
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User
from console.accounts.roles import GRANTS, STAFF, Permission, Role
from console.audit import messages
from console.audit.models import Entry
from console.core import clock
from console.events import outbox
from console.events.models import Event, EventDelivery
from console.publishing import publications
from onboarding.checks import runs, waivers
from onboarding.lifecycle import CheckStatus
from onboarding.matches.models import MatchOutcome
from onboarding.models import Application, CaseNote, Check
from onboarding.restrictions import list_versions
from onboarding.review import casework, decisions, possible_matches
from onboarding.review.mentions import UnknownColleague
from tests import factories
from tests.apikeys import world
from tests.apikeys.webhooks import world as webhooks
from tests.matrices.pages import PAGES
from tests.onboarding import answered
from tests.onboarding.screening import listed

READERS = [Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE]
WORD = "Zibbelwitz"
LOG = reverse("governance:log")


@dataclass
class Written:
    """Each text that compliance wrote, and the objects whose pages could show it."""

    people: dict[Role, User]
    texts: list[str] = field(default_factory=list)
    values: list[dict[str, str]] = field(default_factory=list)

    def text(self) -> str:
        self.texts.append(f"{WORD} {len(self.texts)}x may launder money")
        return self.texts[-1]

    def shown_by(self, **names: str) -> None:
        self.values.append(names)

    def addresses(self) -> list[str]:
        """Return every page for staff without parameters, and those of the objects."""
        found = [f"{LOG}?as=csv", f"{LOG}?as=jsonl", f"{reverse('shell:search')}?q={WORD}"]
        found.append(reverse("apikeys:network_requests") + "?stage=all")
        for values in [{}, *self.values]:
            for page in PAGES:
                of_them = set(page.parameters) == set(values)
                if page.required.kind == "staff" and "GET" in page.required.methods and of_them:
                    found.append(reverse(page.name, kwargs=values))
            if "application_id" in values:
                case = reverse("agreements:case", kwargs=values)
                found += [f"{case}?show={tab}" for tab in ("history", "answers", "pack")]
        return found


@pytest.fixture
def written() -> Written:
    """Let compliance write a text wherever it can."""
    written = Written({role: factories.one_of_staff(role) for role in STAFF})
    _on_a_case(written)
    _about_a_business(written)
    _of_the_restricted_list(written)
    return written


def _on_a_case(written: Written) -> None:
    text, people = written.text, written.people
    reviewer, head = (people[role] for role in READERS)
    other = factories.one_of_staff(Role.COMPLIANCE)
    case = factories.a_reviewed_application(**answered.HIGH)
    casework.add_note(case, text=f"{text()} @{head.email}", by=reviewer)
    screening, *_, check = Check.objects.filter(application=case).in_order().reverse()
    for wanted in (CheckStatus.RUNNING, CheckStatus.NEEDS_REVIEW):
        check = runs.move(check, wanted, by=SYSTEM)
    runs.decide(check, passed=False, reason=text(), by=reviewer)
    waivers.propose(check, reason=text(), ends_at=clock.now() + timedelta(days=9), by=reviewer)
    waivers.decide(check.waivers.get(), confirmed=True, reason=text(), by=other)
    decisions.hold(factories.fresh(case), note=text(), by=reviewer)
    decisions.release(factories.fresh(case), note=text(), by=reviewer)
    evidence = factories.evidence_of(case)
    decisions.clear(factories.fresh(case), note=text(), evidence=evidence, by=head)
    written.shown_by(application_id=case.public_id)
    written.shown_by(check_id=check.public_id)
    written.shown_by(file_id=evidence[0].public_id)

    match = listed.a_refused_match(screening)
    screening = Check.objects.get(pk=screening.pk)
    said = possible_matches.decide(
        match, screening, outcome=MatchOutcome.SAME, reason=text(), by=reviewer
    )
    possible_matches.confirm(said, confirmed=True, reason=text(), by=other)
    written.shown_by(check_id=screening.public_id)
    declined = factories.a_reviewed_application(**answered.HIGH)
    decisions.decline(declined, note=text(), by=reviewer)
    written.shown_by(application_id=declined.public_id)


def _about_a_business(written: Written) -> None:
    reviewer, head = (written.people[role] for role in READERS)
    grant = world.a_grant()
    owner = factories.owner_of(grant.business)
    for network in ("10.0.0.0/8", "11.0.0.0/8"):
        asked = allowlist.ask(grant, network, reason="Our data centre.", by=owner)
        granted = network.startswith("10")
        allowlist.decide(asked, granted=granted, reason=written.text(), by=reviewer)
    endpoint, _ = webhooks.an_endpoint(grant.business)
    for decide in (endpoints.stop_abuse, endpoints.lift_abuse):
        decide(endpoint, reason=written.text(), by=reviewer)
    for verb in (suspension.suspend, suspension.restore, suspension.close):
        verb(Business.objects.get(pk=grant.business.pk), reason=written.text(), by=head)
    written.shown_by(account_id=grant.business.public_id)
    written.shown_by(grant_id=grant.public_id)


def _of_the_restricted_list(written: Written) -> None:
    reviewer, head = (written.people[role] for role in READERS)
    ghana, malta = (factories.an_entry(*of) for of in (("GH", "Ghana"), ("MT", "Malta")))
    proposed = list_versions.propose(ghana, reason=written.text(), by=reviewer)
    publications.put_in_use(proposed, by=head)
    list_versions.propose(malta, reason=written.text(), by=reviewer)


def read(person: User) -> Callable[[str], str]:
    """Return a function that returns the text of a page or file, as this person reads it."""
    client = factories.signed_in(Client(), person)

    def text(address: str) -> str:
        answer: Any = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        return str(content.decode(errors="replace"))  # files are shown, too

    return text


def test_only_compliance_may_read_what_it_writes():
    may = [role for role in STAFF if Permission.CONFIDENTIAL_VIEW in GRANTS[role]]
    assert may == READERS


def test_nobody_else_finds_a_trace_of_it(written):
    addresses, shown = written.addresses(), {}
    assert len(addresses) > 40
    for role, person in written.people.items():
        pages = "".join(map(read(person), addresses))
        shown[role] = [text for text in written.texts if text in pages]

    assert {role: found for role, found in shown.items() if role not in READERS and found} == {}
    assert [set(written.texts) - set(shown[role]) for role in READERS] == [set(), set()]
    _find_no_word(written)
    _find_none_in_emails()


def _find_no_word(written: Written) -> None:
    auditor, reviewer = (read(written.people[one]) for one in (Role.AUDITOR, Role.COMPLIANCE))
    entry = Entry.objects.get(code="business.closed")
    found = [entry.subject_id in one(f"{LOG}?q={WORD}") for one in (auditor, reviewer)]
    assert found == [False, True]
    assert entry.public_id not in auditor(f"{LOG}?as=csv&q=-{WORD}")
    assert "“Decision of compliance.”" in auditor(f"{LOG}?code=business.closed")
    assert entry.public_id in auditor(f"{LOG}?as=csv&q={entry.public_id}")
    codes = {one.code for one in Entry.objects.filter(body__contains=WORD)}
    assert codes - messages.confidential() == set()


def _find_none_in_emails() -> None:
    for delivery in EventDelivery.objects.waiting().filter(listener__endswith="emails"):
        outbox.handle(delivery.pk)
    assert mail.outbox
    assert [one.subject for one in mail.outbox if WORD in one.subject + str(one.body)] == []
    assert [one.kind for one in Event.objects.all() if WORD in str(one.payload)] == []


def test_a_note_says_who_reads_it():
    case = factories.a_reviewed_application(**answered.HIGH)
    people = {role: factories.one_of_staff(role) for role in STAFF}
    page = reverse("onboarding:add_note", args=[case.public_id])
    manager = people[Role.ACCOUNT_MANAGER]

    ours, theirs = (read(people[one])(page) for one in (Role.COMPLIANCE, Role.LEGAL))
    casework.add_note(case, text="They call on Monday.", by=manager)
    compliance, head = (people[role] for role in READERS)
    with pytest.raises(UnknownColleague):
        casework.add_note(case, text=f"No word @{manager.email}.", by=compliance)
    casework.add_note(case, text=f"No word to them. @{head.email}", by=compliance)

    assert "Only compliance can read your notes" in ours
    assert "All our staff can read your notes" in theirs
    assert [manager.name in one for one in (ours, theirs)] == [False, True]
    assert CaseNote.objects.of(case)[0].mentioned == [head.public_id]
    for role, person in people.items():
        shown = read(person)(case.case_url)
        assert "They call on Monday." in shown, role
        assert ("No word to them." in shown) == (role in READERS), role


def test_the_fields_say_that_only_compliance_reads_them():
    head = read(factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))
    case = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    check = case.checks.get(status=CheckStatus.NEEDS_REVIEW)
    grant = world.a_grant()
    asked = allowlist.ask(
        grant, "10.0.0.0/8", reason="Ours.", by=factories.owner_of(grant.business)
    )
    fields: dict[str, Any] = {
        "onboarding:hold": case,
        "onboarding:decline": case,
        "onboarding:decide_check": check,
        "apikeys:suspend_business": grant.business,
        "apikeys:close_business": grant.business,
        "apikeys:decide_network": asked,
    }
    for route, subject in fields.items():
        page = head(reverse(route, args=[subject.public_id]))
        assert "Only compliance can read this." in page, route
    endpoint, _ = webhooks.an_endpoint(grant.business)
    stop = reverse("apikeys:stop_endpoint", args=[grant.business.public_id, endpoint.public_id])
    assert "Only compliance can read this." in head(stop)


def test_a_returned_case_still_says_why_to_all():
    case = factories.an_application("submitted")
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(case, note="Correct the owners.", by=reviewer)
    legal = read(factories.one_of_staff(Role.LEGAL))
    assert "Correct the owners." in legal(f"{case.case_url}?show=history")
    assert Application.objects.get(pk=case.pk).message == "Correct the owners."
