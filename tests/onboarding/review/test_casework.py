"""Notes with mentions, assignment, changes between versions, and the next case."""

import re

import pytest
from django.core import mail as outgoing
from django.db import DatabaseError, transaction
from django.urls import reverse

from agreements.lifecycle import PackStatus
from console.accounts import staff as staff_roles
from console.accounts.actors import SYSTEM
from console.accounts.models import User
from console.accounts.roles import Role
from console.events import outbox
from console.events.models import Event
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application, CaseNote
from onboarding.review import mentions
from onboarding.review.mentions import Mentions, UnknownColleague
from tests import factories
from tests.onboarding import answered


@pytest.fixture
def reviewer(client):
    person = factories.one_of_staff(Role.COMPLIANCE)
    factories.signed_in(client, person)
    return person


def address(name, case):
    return reverse(f"onboarding:{name}", args=[case.public_id])


def mails():
    factories.settle_reviews()
    for pk in outbox.due():
        outbox.handle(pk)
    return {mail.to[0]: mail.subject for mail in outgoing.outbox if "case" in mail.body}


def test_a_note_is_read_by_colleagues_and_mailed_to_whom_it_mentions(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    told, other = (factories.one_of_staff(Role.COMPLIANCE) for _ in range(2))

    answer = client.post(
        address("add_note", case), {"text": f"Ask about <b>owners</b> @{told.email}"}
    )

    assert answer.url == case.case_url
    page = client.get(case.case_url).text
    assert "Ask about &lt;b&gt;owners&lt;/b&gt;" in page
    assert f"to {told.name}" in page
    assert f"<mark>@{told.name}</mark>" in page
    sent = mails()
    assert sent[told.email] == f"{reviewer.name} mentioned you in a note"
    assert other.email not in sent
    assert "owners" not in "".join(str(mail.body) for mail in outgoing.outbox)
    factories.signed_in(client, factories.owner_of(case.business))
    assert "Ask about" not in client.get(case.get_absolute_url()).text


def test_a_note_that_is_sent_twice_is_added_once(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    for text in ("Look", "Look", "Look again", "Look"):
        assert client.post(address("add_note", case), {"text": text}).status_code == 302
    assert [note.text for note in CaseNote.objects.of(case)] == ["Look", "Look again", "Look"]


def test_only_colleagues_who_may_read_a_note_are_offered_and_can_be_mentioned(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    reader, legal = factories.one_of_staff(Role.COMPLIANCE), factories.one_of_staff(Role.LEGAL)
    page = client.get(address("add_note", case)).text
    assert f"@{mentions.mailbox(reader)} ({reader.name})" in page
    assert legal.name not in page
    answer = client.post(
        address("add_note", case), {"text": f"See @{legal.name} and @{reader.name}"}
    )
    assert answer.status_code == 422
    assert "No colleague who may read this note" in answer.text
    assert not CaseNote.objects.exists()
    assert not Event.objects.filter(kind="case_note.added").exists()


def people(*names):
    return [User(pk=pk, name=name, email=email) for pk, (name, email) in enumerate(names, 1)]


TEAM = people(
    ("Ada Lovelace", "ada.lovelace@ours.example"),
    ("Ada", "ada@ours.example"),
    ("Grace Hopper", "grace@ours.example"),
    ("Grace Hopper", "grace.hopper@ours.example"),
    ("Łucja Żak", "lz@ours.example"),
    ("Sam", "sam@ours.example"),
    ("Sam Two", "sam@other.example"),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Look, @ada.", ["ada@ours.example"]),
        ("@Ada Lovelace, please", ["ada.lovelace@ours.example"]),
        ("@ADA LOVELACE", ["ada.lovelace@ours.example"]),
        ("(@ada.lovelace)", ["ada.lovelace@ours.example"]),
        ("@ada.lovelace@ours.example!", ["ada.lovelace@ours.example"]),
        ("@grace and @grace.hopper", ["grace@ours.example", "grace.hopper@ours.example"]),
        ("@ada @ada", ["ada@ours.example"]),
        ("@łucja żak\n@sam@other.example", ["lz@ours.example", "sam@other.example"]),
        ("Write to ada@ours.example, 3 @ 5, a@b and @.", []),
    ],
)
def test_a_mention_is_found_where_it_is_one(text, found):
    assert [one.email for one in Mentions(TEAM).of(text)] == found
    shown = list(Mentions(TEAM).parts(text))
    assert "".join(part for part, _ in shown) == text
    assert {one.email for _, one in shown if one} == set(found)


@pytest.mark.parametrize("text", ["@Grace Hopper", "@nobody", "@adam", "@ada.l", "@sam", "@Adá"])
def test_a_mention_of_nobody_or_of_several_is_refused(text):
    with pytest.raises(UnknownColleague):
        Mentions(TEAM).of(text)
    with pytest.raises(UnknownColleague):
        Mentions([]).of(text)


def test_who_left_the_staff_gets_no_e_mail(client, reviewer):
    case, gone = (
        factories.an_application(ApplicationStatus.SUBMITTED),
        factories.one_of_staff(Role.COMPLIANCE),
    )
    client.post(address("add_note", case), {"text": f"Look, @{gone.name}."})
    staff_roles.take_role(gone, Role.COMPLIANCE, by=SYSTEM)
    assert gone.email not in mails()


@pytest.mark.parametrize("sent", [{"text": " "}, {"text": "Look, @nobody"}])
def test_a_note_that_is_none_is_refused(client, reviewer, sent):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    assert client.post(address("add_note", case), sent).status_code == 422
    assert not CaseNote.objects.exists()


def test_the_auditor_writes_none(client):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))
    assert client.post(address("add_note", case), {"text": "x"}).status_code == 403
    assert "Next case" not in client.get(case.case_url).text


@pytest.mark.django_db(transaction=True)
def test_notes_and_owners_are_kept_by_the_database(client):
    case, person = (
        factories.an_application(ApplicationStatus.SUBMITTED),
        factories.one_of_staff(Role.COMPLIANCE),
    )
    factories.signed_in(client, person).post(address("add_note", case), {"text": "Kept"})
    note = CaseNote.objects.get()

    for change in (
        lambda: CaseNote.objects.update(text="Forged"),
        lambda: CaseNote.objects.all().delete(),
        lambda: Application.objects.update(case_owner=person),
        lambda: CaseNote.objects.create(
            application=case, author=person, text="Without an entry", at=note.at
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_a_case_is_assigned_and_everybody_still_decides_on_it(client, reviewer):
    case = factories.a_reviewed_application(**answered.HIGH)
    owner = factories.one_of_staff(Role.COMPLIANCE)
    assert client.post(address("assign", case), {"person": owner.public_id}).status_code == 302

    assert mails()[owner.email].startswith("The case of")
    queue = reverse("onboarding:review_queue")
    assert case.public_id not in client.get(queue, {"owner": "me"}).text
    assert owner.name in client.get(queue).text
    factories.signed_in(client, factories.one_of_staff(Role.HEAD_OF_COMPLIANCE))
    clearing = reverse("onboarding:clear", args=[case.public_id])
    client.post(clearing, factories.clearing_form(case))
    assert factories.fresh(case).status == ApplicationStatus.CLEARED


def test_who_takes_a_case_that_somebody_took_meanwhile_reads_so(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    first, second = (factories.one_of_staff(Role.COMPLIANCE) for _ in range(2))
    taken = {"person": first.public_id, "seen": ""}

    assert [client.post(address("assign", case), taken).status_code for _ in range(2)] == [302, 302]
    late = client.post(address("assign", case), {"person": second.public_id, "seen": ""})
    assert late.status_code == 409
    assert "Somebody assigned this case" in late.text
    assert factories.fresh(case).case_owner == first
    page = client.get(address("assign", case)).text
    assert f'name="seen" value="{first.public_id}"' in page


def test_a_case_is_assigned_to_nobody_who_may_not_decide_on_it(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    partial = factories.owner_of(case.business)
    staff_roles.give_role(partial, Role.COMPLIANCE, by=SYSTEM)

    refused = client.post(address("assign", case), {"person": partial.public_id})
    other = client.post(
        address("assign", case), {"person": factories.one_of_staff(Role.LEGAL).public_id}
    )

    assert "may not decide on this case" in refused.text
    assert other.status_code == 422
    assert factories.fresh(case).case_owner is None


def test_only_compliance_assigns(client):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    factories.signed_in(client, factories.one_of_staff(Role.LEGAL))
    assert client.post(address("assign", case), {"person": ""}).status_code == 403
    assert address("assign", case) not in client.get(case.case_url).text


def test_what_changed_between_two_versions_is_shown(client, reviewer):
    case = factories.an_application(ApplicationStatus.RETURNED)
    owner = factories.owner_of(case.business)
    owners = answered.owned_by(("Mara Ellwood", "50"), ("Ifan Rhys", "50"))
    factories.filled(case, li_website="https://new.example", **owners)
    applications.submit(factories.fresh(case), declared=True, by=owner)

    page = client.get(f"{case.case_url}?show=answers").text

    assert "Changes since version 1" in page
    changed = re.search(r'(?s)id="changes".*?</table>', page).group(0)
    assert changed.count('<th scope="row"') == 2
    assert re.search(r"Mara Ellwood[^<]*<br>Ifan Rhys", changed)
    assert "<ins>https://new.example</ins>" in changed
    assert "Changes since" not in client.get(case.case_url).text


def test_the_first_version_has_nothing_to_be_compared_with(client, reviewer):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    assert "Changes since" not in client.get(f"{case.case_url}?show=answers").text


def follow(client, case):
    link = re.search(r'href="(/review/next/[^"]+)"', client.get(case.case_url).text).group(1)
    return client.get(link).url


def test_the_next_case_follows_in_the_queue_and_at_its_end_is_the_first(client, reviewer):
    first, second, third = (
        factories.an_application(
            ApplicationStatus.SUBMITTED, business=factories.a_business(f"B{n}")
        )
        for n in range(3)
    )
    colleague = factories.one_of_staff(Role.COMPLIANCE)
    client.post(address("assign", second), {"person": colleague.public_id})

    assert follow(client, first) == third.case_url
    assert follow(client, third) == first.case_url
    client.post(reverse("onboarding:decline", args=[third.public_id]), {"note": "No."})
    assert follow(client, third) == first.case_url


def test_an_approver_is_led_to_packs_and_nobody_in_a_circle(client):
    pack = factories.a_pack(PackStatus.IN_APPROVAL)
    case = pack.application
    factories.signed_in(client, factories.one_of_staff(Role.LEGAL))
    waiting = factories.an_application(
        ApplicationStatus.SUBMITTED, business=factories.a_business("Waits for compliance")
    )

    assert follow(client, waiting) == case.case_url
    assert follow(client, case) == "/"
