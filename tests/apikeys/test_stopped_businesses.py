"""A suspended or closed business takes no step towards a contract or a key: verbs and SQL."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from agreements import event_handlers as pack_events
from agreements.approvals import approvals, countersigning
from agreements.lifecycle import DecisionKind, DecisionRole, PackStatus
from agreements.models import Pack, Receipt, SignatureAct
from agreements.packs import packs
from agreements.signing import reading, signature
from apikeys.allowlist import allowlist
from apikeys.grants import event_handlers as grant_events
from apikeys.grants import grants
from apikeys.lifecycle import Environment, KeyStatus
from apikeys.models import Grant
from apikeys.suspension import suspension
from apikeys.webhooks import endpoints
from console.accounts import business_access
from console.accounts.actors import SYSTEM
from console.accounts.business_access import AccessStopped
from console.accounts.lifecycle import Access
from console.accounts.models import Business, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.core.refusals import NotReady, Refused
from console.events.models import Event
from onboarding import case_acts
from onboarding.checks import runs
from onboarding.evidence import files
from onboarding.intake import answers, applications, further_products, information_replies
from onboarding.intake.merging import OpenPage
from onboarding.lifecycle import ActKind, ApplicationStatus
from onboarding.models import Answer, Application, Submission
from onboarding.review import clearing, decisions, information_requests
from onboarding.risk import assessments
from tests import factories
from tests.apikeys import world
from tests.databases import refused_by
from tests.four_eyes.raw_statements import like
from tests.onboarding.evidence.documents import a_pdf
from tests.onboarding.information.asking import a_request
from tests.waiting import in_the_middle_of

STOPS = {
    Access.SUSPENDED: (suspension.suspend, Role.COMPLIANCE),
    Access.CLOSED: (suspension.close, Role.HEAD_OF_COMPLIANCE),
}
both = pytest.mark.parametrize("status", STOPS)


def stop(business: Business, status: Access = Access.SUSPENDED) -> None:
    verb, role = STOPS[status]
    verb(business, reason="Decision of compliance.", by=factories.one_of_staff(role))


def restore(business: Business) -> None:
    suspension.restore(business, reason="Explained.", by=factories.one_of_staff(Role.COMPLIANCE))


def signed(pack: Pack) -> None:
    assert pack.revision is not None
    offer = pack.revision.offer_sha256
    owner = factories.owner_of(pack.business)
    signature.sign(pack, offer_sha256=offer, proof=factories.BY_CODE, by=owner)


def reviewer_of(pack: Pack) -> User:
    """Return a legal reviewer who acted on the pack's case."""
    person = factories.one_of_staff(Role.LEGAL)
    with transaction.atomic():
        case_acts.record(pack.application, ActKind.APPROVE, capacity=DecisionRole.LEGAL, by=person)
    return person


def refused_verbs(application: Application) -> dict[str, Callable[[], object]]:
    """Return what a business and our reviewers could do about an application."""
    owner, reviewer = (
        factories.owner_of(application.business), factories.one_of_staff(Role.COMPLIANCE)
    )  # fmt: skip
    asked = a_request(application)
    item = asked.items.all()[0]
    page, name = OpenPage(application.revision_of("legal_identity")), {"li_trading_name": "Kiosk"}
    question = information_requests.Asked("explain", "Why?", "li_legal_name")
    return {
        "start": partial(applications.start, application.business, by=owner),
        "further": partial(further_products.ask, application.business, ["cards"], by=owner),
        "save": partial(
            answers.save_section, application, "legal_identity", name, page=page, by=owner
        ),
        "submit": partial(applications.submit, application, declared=True, by=owner),
        "clear": partial(decisions.clear, application, by=reviewer),
        "prepare": partial(packs.prepare, application, by=SYSTEM),
        "reply": partial(information_replies.reply, item, text="Because.", by=owner),
        "send": partial(information_replies.send, asked, by=owner),
        "ask": partial(information_requests.ask, application, asked=[question], by=reviewer),
        "upload": partial(files.add, application, a_pdf(), name="a.pdf", kind="passport", by=owner),
    }


@both
@pytest.mark.parametrize(
    ("at", "names"),
    [
        ("answered", ("save", "submit", "upload", "start", "further")),
        (ApplicationStatus.SUBMITTED, ("clear", "reply", "send", "ask")),
        (ApplicationStatus.WITHDRAWN, ("start",)),
        (ApplicationStatus.CLEARED, ("prepare",)),
    ],
)
def test_its_application_stays_where_it_is(at, names, status):
    application = factories.an_application(at)
    if at == ApplicationStatus.SUBMITTED:
        assert application.submission is not None
        runs.run_all(application.submission)
        assessments.make(application, by=SYSTEM)
    verbs = refused_verbs(application)
    stop(application.business, status)
    before = factories.fresh(application)

    for name in names:
        with pytest.raises(Refused, match=f"is {status}"):
            verbs[name]()

    after = factories.fresh(application)
    assert (after.status, after.revisions) == (before.status, before.revisions)
    assert not Pack.objects.filter(application=application).exists()


@both
@pytest.mark.parametrize(
    "at",
    [PackStatus.IN_REVIEW, PackStatus.READY_TO_SIGN, PackStatus.IN_APPROVAL, PackStatus.APPROVED],
)
def test_its_pack_stays_where_it_is(at, status):
    pack = factories.a_pack(at)
    document, owner = packs.documents_of(pack)[0], factories.owner_of(pack.business)
    seen = factories.signed_set(pack)
    verb = {
        PackStatus.IN_REVIEW: lambda: reading.accept(
            document, mark=reading.served(document, owner), by=owner
        ),
        PackStatus.READY_TO_SIGN: lambda: signed(pack),
        PackStatus.IN_APPROVAL: lambda: approvals.approve(
            pack,
            DecisionRole.LEGAL,
            signed_set_sha256=seen,
            proof=factories.BY_CODE,
            by=factories.one_of_staff(Role.LEGAL),
        ),
        PackStatus.APPROVED: lambda: countersigning.countersign(
            pack,
            signed_set_sha256=seen,
            proof=factories.BY_CODE,
            by=factories.one_of_staff(Role.COUNTERSIGNATORY),
        ),
    }[at]
    stop(pack.business, status)

    with pytest.raises(AccessStopped, match=f"is {status}"):
        verb()

    assert factories.fresh_pack(pack).status == at
    if at == PackStatus.READY_TO_SIGN:
        reading.take_back(document, by=owner)
    applications.withdraw(pack.application, by=owner)
    assert factories.fresh_pack(pack).status == PackStatus.WITHDRAWN


def test_workers_stop_and_continue_when_the_access_is_restored():
    pack = factories.a_pack(PackStatus.COUNTERSIGNING)
    stop(pack.business)

    factories.settle()
    waiting = factories.fresh_pack(pack)
    assert (waiting.status, waiting.failures) == (PackStatus.COUNTERSIGNING, 0)

    restore(pack.business)
    factories.settle()
    assert factories.fresh_pack(pack).status == PackStatus.EXECUTED
    assert Grant.objects.get(business=pack.business, environment="sandbox").is_open


def test_a_review_stops_and_continues_when_the_access_is_restored():
    application = factories.an_application(ApplicationStatus.SUBMITTED)
    stop(application.business)
    factories.settle_reviews()
    assert factories.fresh(application).status == ApplicationStatus.SUBMITTED
    assert clearing.blockers(factories.fresh(application), by=SYSTEM)

    restore(application.business)
    factories.settle_reviews()
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


def test_a_case_cleared_before_gets_its_pack_when_the_access_is_restored():
    application = factories.an_application(ApplicationStatus.CLEARED)
    stop(application.business)
    pack_events.application_cleared(Event(subject_id=application.public_id))
    assert not Pack.objects.filter(application=application).exists()

    restore(application.business)
    pack_events.access_restored(Event(subject_id=application.business.public_id))
    assert Pack.objects.get(application=application).status == PackStatus.GENERATING


@both
def test_no_environment_opens_and_no_key_is_made(status):
    key, _ = world.a_key()
    grant, owner = key.grant, factories.owner_of(key.business)
    manager, reviewer = map(factories.one_of_staff, (Role.ACCOUNT_MANAGER, Role.COMPLIANCE))
    request = allowlist.ask(grant, "9.0.0.0/8", reason="Our network.", by=owner)
    verbs = (
        partial(grants.restore, grant, reason="Settled.", by=manager),
        partial(grants.open_live, key.business, ["cards"], by=owner),
        partial(allowlist.ask, grant, "11.0.0.0/8", reason="Ours.", by=owner),
        partial(allowlist.decide, request, granted=True, reason="Fine.", by=reviewer),
        partial(
            endpoints.create, key.business, Environment.SANDBOX, url="https://example.com/hook",
            enabled_events=["*"], by=owner,
        ),
        partial(world.a_key, grant, name="Second", by=owner),
    )  # fmt: skip
    grants.suspend(grant, reason="Disputes.", by=manager)
    stop(key.business, status)

    for verb in verbs:
        with pytest.raises(NotReady) as refusal:
            verb()
        said = [refusal.value.message, *(one.message for one in refusal.value.blockers)]
        assert f"is {status}" in " ".join(said)
    allowlist.decide(request, granted=False, reason="Too wide.", by=reviewer)


def test_a_sandbox_opens_once_the_access_is_restored():
    business = factories.a_pack(PackStatus.EXECUTED).business
    stop(business)
    with pytest.raises(AccessStopped):
        grants.open_sandbox(business, by=SYSTEM)
    grant_events.open_what_is_ready()
    assert not Grant.objects.filter(business=business, status="open").exists()

    restore(business)
    grant_events.open_what_is_ready()
    assert Grant.objects.get(business=business, environment="sandbox").is_open


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("stops_first", [True, False])
def test_signing_beside_a_suspension_has_one_effect(stops_first):
    pack = factories.a_pack(PackStatus.READY_TO_SIGN)
    steps = [partial(stop, pack.business), partial(signed, pack)]
    factories.one_of_staff(Role.COMPLIANCE)

    if stops_first:
        with pytest.raises(AccessStopped):
            in_the_middle_of(*steps)
    else:
        in_the_middle_of(*reversed(steps))

    assert factories.fresh_pack(pack).business.status == Access.SUSPENDED
    acts = SignatureAct.objects.filter(revision=pack.revision)
    assert acts.exists() is not stops_first


def test_a_closed_business_is_told_that_it_is_final_and_our_staff_whose_turn_it_is():
    business = factories.a_business("Acme")
    assert business_access.blockers(business) == []
    stop(business)
    told, ours = [
        business_access.blockers(Business.objects.get(), is_told=one)[0].message
        for one in (True, False)
    ]
    assert told == "The access of Acme is suspended. Wait until we restore it, or write to us."
    assert ours == "The access of Acme is suspended. Compliance must restore it first."
    stop(business, Access.CLOSED)
    (final,) = business_access.blockers(Business.objects.get())
    assert final.message == "The access of Acme is closed. This is final."


# Pages --------------------------------------------------------------------------------------------


@both
def test_pages_disable_their_buttons_and_say_why(client, status):
    application = factories.an_application("answered")
    business, owner = application.business, factories.owner_of(application.business)
    a_request(application)
    other = factories.a_business("Fresh Start", owner=owner)
    factories.signed_in(client, owner)
    pages = [
        reverse("onboarding:access", args=[other.public_id]),
        reverse("onboarding:section", args=[business.public_id, "ownership"]),
        reverse("onboarding:check", args=[business.public_id]),
        reverse("onboarding:documents", args=[business.public_id]),
        reverse("onboarding:requests", args=[business.public_id]),
    ]
    disabled = '<button class="btn" data-kind="primary"[^>]* disabled>'
    for page in pages:
        shown = client.get(page).content.decode()
        assert re.search('<button class="btn" data-kind="primary"', shown), page
        assert not re.search(disabled, shown), page
    for one in (business, other):
        stop(one, status)

    for page in pages:
        shown = client.get(page).content.decode()
        assert re.search(disabled, shown), page
        assert f"The access of this business is {status}" in shown
    autosave = reverse("onboarding:autosave", args=[business.public_id, "ownership"])
    answer = client.post(autosave, {"asked": "ow_signatory_title", "ow_signatory_title": "Boss"})
    assert answer.status_code == 409
    assert f"is {status}" in answer.json()["message"]


def test_a_document_is_not_accepted_and_its_case_says_why(client):
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    owner, document = factories.owner_of(pack.business), packs.documents_of(pack)[0]
    stop(pack.business)

    page = reverse("agreements:document", args=[pack.business.public_id, document.public_id])
    assert re.search("<button [^>]*disabled>", factories.signed_in(client, owner).get(page).text)
    sign = client.get(reverse("agreements:pack", args=[pack.business.public_id]))
    assert "Wait until we restore it" in sign.text
    waiting = factories.a_pack(PackStatus.GENERATING)
    stop(waiting.business)
    case = reverse("agreements:case", args=[waiting.application.public_id])
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    factories.settle()
    shown = factories.signed_in(client, reviewer).get(f"{case}?show=pack")
    assert "Compliance must restore it first" in shown.text


# In SQL -------------------------------------------------------------------------------------------


def set_(table: str, **columns: Any) -> tuple[str, tuple[Any, ...]]:
    """Return an UPDATE of every row of a table."""
    named = ", ".join(f"{name} = %s" for name in columns)
    return f"UPDATE {table} SET {named}", tuple(columns.values())


@both
def test_the_database_refuses_the_same(status):
    pack, offered = map(factories.a_pack, (PackStatus.IN_APPROVAL, PackStatus.IN_REVIEW))
    assert pack.revision is not None
    application, act = pack.application, pack.revision.acts.get()
    submission = Submission.objects.get(application=application)
    key, _ = world.a_key(world.a_grant(pack.business))
    live = Grant.objects.create(business=pack.business, environment="live")
    answer, receipt = Answer.objects.all()[0], Receipt.objects.all()[0]
    decision = approvals.decide(
        pack, DecisionRole.LEGAL, DecisionKind.APPROVED, note="",
        by=reviewer_of(pack),
    )  # fmt: skip
    copies = {"public_id": "x"}
    statements = {
        "who_applies_has_access": like(application, **copies, status="draft"),
        "who_answers_has_access": like(answer, question="x"),
        "who_submits_has_access": like(submission, **copies, number=9),
        "who_gets_on_has_access": set_("onboarding_application", status="executed"),
        "who_gets_a_pack_has_access": like(
            pack, **copies, number="x", status="generating", revision_id=None
        ),
        "whose_pack_gets_on_has_access": (
            "UPDATE agreements_pack SET status = 'ready_to_sign' WHERE id = %s", (offered.pk,)
        ),
        "who_accepts_has_access": like(receipt, document_id=packs.documents_of(offered)[0].pk),
        "who_signs_has_access": like(act, **copies, person_id=decision.person_id),
        "who_is_approved_has_access": like(decision, **copies, place=2),
        "whose_grant_opens_has_access": (
            "UPDATE apikeys_grant SET status = 'open', opened_at = now() WHERE id = %s", (live.pk,)
        ),
        "who_gets_a_key_has_access": like(key, **copies, once="x", digest=b"x"),
        "whose_key_works_again_has_access": (
            "UPDATE apikeys_apikey SET former_digest = digest, digest = %s", (b"x" * 32,)
        ),
    }  # fmt: skip
    factories.change(Business.objects.all(), status=status)

    found = {rule: refused_by(sql, *values) for rule, (sql, values) in statements.items()}
    assert found == {rule: rule for rule in statements}
    allowed = (
        set_("agreements_pack", status="withdrawn"),
        set_("apikeys_apikey", status=KeyStatus.REVOKED, ended_at=pack.signed_at),
    )
    assert [refused_by(sql, *values) for sql, values in allowed] == ["", ""]
    for one in (pack, offered):
        audit.record("test.moved", one, by=SYSTEM, after={"status": "withdrawn"})
