"""Requests for information: asked together, answered, accepted or asked again, and reminded of."""

from datetime import timedelta

import pytest
import time_machine
from django.core import mail as outgoing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreements.lifecycle import PackStatus
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import clock
from console.events import outbox
from console.events.models import Event
from onboarding.evidence.models import EvidenceFile
from onboarding.information import reminders
from onboarding.information.models import InformationItem, InformationRequest
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Answer
from tests import factories
from tests.onboarding import answered
from tests.onboarding.evidence import documents

FURTHER = "A director was listed until 2019."


@pytest.fixture
def case():
    application = factories.a_reviewed_application(**answered.HIGH)
    factories.settle()  # the mail that a reviewer is needed
    return application


@pytest.fixture
def owner(case):
    return factories.signed_in(Client(), factories.owner_of(case.business))


def at(name, *things):
    return reverse(f"onboarding:{name}", args=[one.public_id for one in things])


def questions(*rows):
    return {
        f"{name}_{number}": value
        for number, row in enumerate(rows, start=1)
        for name, value in zip(("words", "need", "about"), row, strict=True)
    } | {f"need_{number}": "explain" for number in range(len(rows) + 1, 6)}


def ask(staff, case, *rows):
    answer = staff.post(at("ask", case), questions(*rows))
    assert answer.status_code == 302, answer.text
    return InformationRequest.objects.get()


def mails():
    outgoing.outbox.clear()
    for pk in outbox.due():
        outbox.handle(pk)
    return [(mail.to[0], mail.subject) for mail in outgoing.outbox]


SEND = {"send": "yes"}


def status_of(case):
    return factories.fresh(case).status


def save(owner, case, section, **typed):
    page = reverse("onboarding:section", args=[case.business.public_id, section])
    return owner.post(page, {"asked": list(typed), "revision": "9", **typed})


def test_questions_are_sent_together_and_answered(staff, owner, case):
    mails()
    asked = ask(
        staff, case,
        ("Why so few owners?", "explain", answered.OWNERS), ("Send the passport.", "passport", ""),
    )  # fmt: skip

    assert status_of(case) == ApplicationStatus.SUBMITTED
    person = factories.owner_of(case.business)
    assert mails() == [(person.email, "Please answer our questions")]
    assert "Why so few owners?" not in str(outgoing.outbox[0].body)
    told = Event.objects.get(kind="information_request.asked")
    assert told.subject_id == asked.public_id
    assert at("requests", case.business) in owner.get(case.get_absolute_url()).text
    page = owner.get(at("requests", case.business)).text
    assert "Why so few owners?" in page
    assert "Waiting for you" in page
    assert "Waiting for the business" not in page

    words, document = asked.items.all()
    assert owner.post(at("reply", case.business, asked), SEND).status_code == 409
    owner.post(at("reply", case.business, asked), {f"{words.public_id}-text": "There are two."})
    file = SimpleUploadedFile("me.pdf", documents.a_pdf())
    reply = owner.post(at("reply", case.business, asked), {f"{document.public_id}-file": file})
    assert reply.status_code == 302
    assert owner.post(at("reply", case.business, asked), SEND).status_code == 302

    asked.refresh_from_db()
    assert asked.is_answered
    stored = EvidenceFile.objects.get()
    assert stored.kind == "passport"
    seen = staff.get(case.case_url).text
    assert "There are two." in seen
    assert at("evidence_file", stored) in seen
    assert (asked.asked_by.email, f"{case.business.name} answered your questions") in mails()
    # Nothing more is said after it was sent.
    late = owner.post(at("reply", case.business, asked), {f"{words.public_id}-text": "Or three."})
    assert "already sent" in late.text
    assert "Or three.</textarea>" in late.text

    assert staff.post(at("close_request", asked)).status_code == 302
    asked.refresh_from_db()
    assert asked.closed_at
    assert [e.code for e in Entry.objects.filter(subject_id=asked.public_id).order_by("pk")] == [
        "information_request.asked", "information_request.replied", "information_request.replied",
        "information_request.answered", "information_request.closed",
    ]  # fmt: skip


@pytest.mark.parametrize("need", ["explain", "correct"])
def test_questions_that_are_sent_twice_are_asked_once(staff, case, need):
    row = ("Why?", need, "li_legal_name")
    ask(staff, case, row)
    again = staff.post(at("ask", case), questions(row))
    assert again.status_code == 409
    assert "already been sent" in again.text
    assert staff.post(at("ask", case), questions(row, ("Who?", "explain", ""))).status_code == 302
    assert InformationRequest.objects.count() == 2


def test_every_answer_on_the_page_is_saved_and_sent_with_one_press(staff, owner, case):
    asked = ask(staff, case, ("Why?", "explain", ""), ("Who?", "explain", ""))
    why, who = [f"{item.public_id}-text" for item in asked.items.all()]
    page, address = owner.get(at("requests", case.business)).text, at("reply", case.business, asked)
    assert page.count(f'action="{address}"') == 1

    assert owner.post(address, {why: "Because.", who: ""}).status_code == 302
    assert "Write your answer" in owner.post(address, {why: "", who: ""}).text
    assert owner.post(address, {why: "Because.", who: "Ada.", **SEND}).status_code == 302
    asked.refresh_from_db()
    assert asked.is_answered
    assert [item.reply for item in asked.items.all()] == ["Because.", "Ada."]


def test_two_people_who_answer_one_question_read_of_each_other(staff, owner, case):
    asked = ask(staff, case, ("Why?", "explain", ""), ("Who?", "explain", ""))
    why, who = [f"{item.public_id}-text" for item in asked.items.all()]
    address, old = at("reply", case.business, asked), {f"initial-{why}": "", f"initial-{who}": ""}
    owner.post(address, old | {why: "Because.", who: ""})

    refused = owner.post(address, old | {why: "It is so.", who: "Ada."})
    assert "Somebody else answered this: “Because.”" in refused.text
    assert "It is so.</textarea>" in refused.text
    assert f'name="initial-{why}" value="Because."' in refused.text
    assert [item.reply for item in asked.items.all()] == ["Because.", "Ada."]


def test_it_is_asked_again_with_a_note(staff, owner, case):
    asked = ask(staff, case, ("Why?", "explain", ""))
    item = asked.items.get()
    owner.post(at("reply", case.business, asked), {f"{item.public_id}-text": "Because."})
    owner.post(at("reply", case.business, asked), SEND)
    mails()

    assert staff.post(at("reopen_request", asked), {"note": ""}).status_code == 422
    assert staff.post(at("reopen_request", asked), {"note": "In detail."}).status_code == 302

    asked.refresh_from_db()
    assert asked.is_open
    assert [subject for _, subject in mails()] == ["Please answer our questions"]
    page = owner.get(at("requests", case.business)).text
    assert "In detail." in page
    assert "Because.</textarea>" in page
    assert owner.post(at("reply", case.business, asked), SEND).status_code == 409


def test_only_the_answers_that_we_name_can_be_changed(staff, owner, case):
    ask(staff, case, ("Use the full name.", "correct", "li_legal_name"))
    assert status_of(case) == ApplicationStatus.RETURNED
    before = Answer.objects.of(case).newest().count()

    page = reverse("onboarding:section", args=[case.business.public_id, "legal_identity"])
    drawn = owner.get(page).text
    assert "You can change only some answers" in drawn
    locked = drawn.split('data-question="li_registration_number"')[1][:60]
    assert "disabled" in locked
    assert "disabled" not in drawn.split('data-question="li_legal_name"')[1][:60]
    checked = owner.get(at("check", case.business)).text
    assert "#q-li_legal_name" in checked
    assert "#q-li_registration_number" not in checked

    save(
        owner,
        case,
        "legal_identity",
        li_legal_name="Kettle & Kiosk Limited",
        li_registration_number="1",
    )
    save(owner, case, "ownership", ow_signatory_name="Somebody Else")

    now = {row.question: row.value for row in Answer.objects.of(case).newest()}
    assert now["li_legal_name"] == "Kettle & Kiosk Limited"
    assert now["li_registration_number"] == "09999991"
    assert len(now) == before


def test_a_section_of_a_returned_application_reads_the_questions_of_reviewers_once(
    staff, owner, case
):
    ask(staff, case, ("Use the full name.", "correct", "li_legal_name"))
    page = reverse("onboarding:section", args=[case.business.public_id, "legal_identity"])
    with CaptureQueriesContext(connection) as asked:
        assert "Our reviewer asks" in owner.get(page).text
    table = InformationItem._meta.db_table
    assert len([one for one in asked if f'FROM "{table}"' in one["sql"]]) == 1


def test_what_our_reviewers_ask_is_marked_on_the_task_list_and_at_its_field(staff, owner, case):
    page = reverse("onboarding:section", args=[case.business.public_id, "legal_identity"])
    overview = reverse("onboarding:access", args=[case.business.public_id])
    rows = ("Use the full name.", "correct", "li_legal_name"), ("Send yours.", "passport", "")
    ask(staff, case, *rows)

    tasks = owner.get(overview).text
    assert "Answer 2 questions" in tasks
    assert tasks.count("Our reviewer asks") == 2
    drawn = owner.get(page).text
    about = drawn.split('data-question="li_legal_name"')[1].split("data-question=")[0]
    assert "Use the full name." in about
    assert 'aria-describedby="q-li_legal_name-asked' in about
    assert drawn.count("Our reviewer asks") == 1

    save(owner, case, "legal_identity", li_legal_name="Kettle & Kiosk Limited")
    owner.post(at("submit", case.business), {"declared": "on"})
    assert "Our reviewer asks" not in owner.get(page, follow=True).text


def test_a_corrected_answer_may_lead_to_further_questions(staff, owner, case):
    ask(staff, case, ("Is this right?", "correct", "ri_sanctions"))
    save(owner, case, "risk_indicators", ri_sanctions="yes", ri_sanctions_text=FURTHER)
    now = {row.question: row.value for row in Answer.objects.of(case).newest()}
    assert (now["ri_sanctions"], now["ri_sanctions_text"]) == (True, FURTHER)


def test_a_corrected_answer_opens_the_answer_that_it_contradicts(staff, owner, case):
    ask(staff, case, ("Is this the value of a month?", "correct", "vo_m12_value"))
    save(owner, case, "volumes", vo_max_ticket="90.00")
    save(owner, case, "volumes", vo_m12_value="100.00")

    save(owner, case, "volumes", vo_max_ticket="90.00")

    now = {row.question: row.value or {} for row in Answer.objects.of(case).newest()}
    assert (now["vo_m12_value"]["minor"], now["vo_max_ticket"]["minor"]) == (10000, 9000)


def test_submitting_again_answers_a_correction(staff, owner, case):
    asked = ask(staff, case, ("Use the full name.", "correct", "li_legal_name"))
    assert staff.post(at("close_request", asked)).status_code == 409
    assert owner.post(at("reply", case.business, asked), SEND).status_code == 409
    save(owner, case, "legal_identity", li_legal_name="Kettle & Kiosk Limited")

    owner.post(at("submit", case.business), {"declared": "on"})
    assert status_of(case) == ApplicationStatus.SUBMITTED
    asked.refresh_from_db()
    assert asked.is_answered

    staff.post(at("reopen_request", asked), {"note": "And the address."})
    assert status_of(case) == ApplicationStatus.RETURNED


def test_a_return_for_changes_is_a_request_that_opens_all_answers(staff, owner, case):
    mails()
    staff.post(at("return", case), {"note": "The owners add up to ninety."})

    item = InformationItem.objects.get()
    assert (item.need, item.question, item.words) == ("correct", "", "The owners add up to ninety.")
    person = factories.owner_of(case.business)
    assert mails() == [(person.email, "Please change some answers")]
    save(owner, case, "legal_identity", li_registration_number="09999992")
    assert Answer.objects.filter(question="li_registration_number", value="09999992").exists()


def test_a_question_leaves_the_pack_alone_and_a_correction_does_not(staff):
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    case = pack.application
    ask(staff, case, ("Send a licence.", "licence", ""))
    pack.refresh_from_db()
    assert (pack.status, status_of(case)) == (PackStatus.IN_REVIEW, ApplicationStatus.CLEARED)

    staff.post(at("ask", case), questions(("Wrong.", "correct", "li_legal_name")))
    pack.refresh_from_db()
    assert (pack.status, status_of(case)) == (PackStatus.STALE, ApplicationStatus.RETURNED)


def test_an_application_on_hold_can_be_asked_and_shows_no_hold(staff, owner, case):
    staff.post(at("hold", case), {"note": "Wait."})
    refused = staff.post(at("ask", case), questions(("Wrong.", "correct", "li_legal_name")))
    assert refused.status_code in (409, 422)
    ask(staff, case, ("Why?", "explain", ""))
    assert "on hold" not in owner.get(at("requests", case.business)).text.lower()
    assert status_of(case) == ApplicationStatus.HELD


def test_an_open_question_waits_before_clearing(staff):
    case = factories.a_reviewed_application(**answered.LISTED)
    owner = factories.signed_in(Client(), factories.owner_of(case.business))
    asked = ask(staff, case, ("Why?", "explain", ""))
    check = case.submission.checks.get(kind="screening", status="needs_review")
    said = {"passed": "yes", "reason": "Another company."}
    staff.post(reverse("onboarding:decide_check", args=[check.public_id]), said)
    factories.settle_reviews()
    assert status_of(case) == ApplicationStatus.SUBMITTED
    assert "has not answered our questions" in staff.get(case.case_url).text

    item = asked.items.get()
    owner.post(at("reply", case.business, asked), {f"{item.public_id}-text": "Because."})
    owner.post(at("reply", case.business, asked), SEND)
    factories.settle_reviews()
    assert status_of(case) == ApplicationStatus.SUBMITTED

    staff.post(reverse("onboarding:close_request", args=[asked.public_id]))
    factories.settle_reviews()
    assert status_of(case) == ApplicationStatus.CLEARED


def test_reminders_are_sent_three_times(staff, owner, case):
    asked = ask(staff, case, ("Why?", "explain", ""))
    mails()
    sent = []
    for days in (6, 7, 8, 12, 13, 14, 30):
        with time_machine.travel(clock.now() + timedelta(days=days, hours=1), tick=False):
            reminders.remind()
            reminders.remind()
            sent.append(len(mails()))
    assert sent == [0, 1, 0, 1, 0, 1, 0]
    assert status_of(case) == ApplicationStatus.SUBMITTED

    staff.post(at("close_request", asked))
    with time_machine.travel(clock.now() + timedelta(days=40), tick=False):
        reminders.remind()
    assert mails() == []


def test_requests_end_with_the_application(staff, case):
    asked = ask(staff, case, ("Why?", "explain", ""))
    staff.post(at("decline", case), {"note": "No."})
    asked.refresh_from_db()
    assert asked.closed_at
    assert staff.post(at("reopen_request", asked), {"note": "Again."}).status_code in (409, 422)
    assert staff.post(at("ask", case), questions(("Why?", "explain", ""))).status_code == 422


def test_a_form_without_a_question_or_an_answer_to_correct_is_refused(staff, case):
    assert staff.post(at("ask", case), questions()).status_code == 422
    said = staff.post(at("ask", case), questions(("Wrong.", "correct", "")))
    assert "Choose the answer that the business must correct" in said.text
    assert not InformationRequest.objects.exists()


def test_only_compliance_that_is_not_of_the_business_asks(case):
    legal = factories.signed_in(Client(), factories.one_of_staff(Role.LEGAL))
    assert legal.post(at("ask", case), questions(("Why?", "explain", ""))).status_code == 403
    viewer = factories.signed_in(Client(), factories.a_member(case.business, Role.VIEWER))
    asked = ask(
        factories.signed_in(Client(), factories.one_of_staff(Role.COMPLIANCE)),
        case,
        ("Why?", "explain", ""),
    )
    item = asked.items.get()
    assert "<textarea" not in viewer.get(at("requests", case.business)).text
    sent = {f"{item.public_id}-text": "Because."}
    assert viewer.post(at("reply", case.business, asked), sent).status_code == 403
    stranger = factories.signed_in(Client(), factories.owner_of(factories.a_business("Other")))
    assert stranger.post(at("reply", case.business, asked), sent).status_code == 404
