"""Our staff hear of work by e-mail when it becomes their turn: at once, or once a day."""

from datetime import timedelta

import pytest
from django.core import mail as outgoing
from django.db import connection
from django.test import Client
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.allowlist import allowlist
from apikeys.going_live import requests
from apikeys.lifecycle import Environment
from apikeys.register import account_turns
from console.accounts import businesses, details, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, User, WorkMail
from console.accounts.roles import Permission, Role
from console.core import clock
from console.events import outbox
from console.events.models import Event, EventDelivery
from console.governance import digest, turns
from onboarding.checks import runs, waivers
from onboarding.questionnaire.loading import EDITIONS
from onboarding.review import casework
from tests import factories
from tests.apikeys import world
from tests.apikeys.going_live import world as going
from tests.onboarding import answered


def begun():
    """Handle what begins turns, and return the people whose turn it is, without sending."""
    waiting = EventDelivery.objects.waiting().filter(listener__startswith="turns.")
    for delivery in waiting:
        assert outbox.handle(delivery.pk), delivery
    return set(Event.objects.filter(kind=turns.BEGAN).values_list("subject_id", flat=True))


def sent():
    """Send the e-mails of turns and return them as (address, message) pairs."""
    begun()
    before = len(outgoing.outbox)
    for delivery in EventDelivery.objects.waiting().filter(listener="governance.turn.emails"):
        assert outbox.handle(delivery.pk)
    return [(message.to[0], message) for message in outgoing.outbox[before:]]


def told():
    """Return the addresses to which e-mails of turns were sent now, sorted."""
    return sorted(address for address, _ in sent())


def choose(person, when):
    details.change(
        person, name=person.name, time_zone="UTC", wanted_mail=(), work_mail=when, by=person
    )


def team(*roles):
    return [factories.one_of_staff(role) for role in roles]


def test_every_approver_hears_when_a_pack_is_signed_and_the_countersignatory_when_it_is_approved():
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    approvers = team(Role.COMPLIANCE, Role.COMMERCIAL, Role.LEGAL)
    (countersigns, *_) = team(Role.COUNTERSIGNATORY, Role.AUDITOR, Role.OPERATOR)
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)

    messages = dict(sent())
    assert sorted(messages) == sorted(one.email for one in approvers)
    message = messages[approvers[2].email]
    assert message.subject == f"{pack.number} of Kettle & Kiosk waits for your approval"
    assert pack.application.case_url in message.body

    factories.approve(pack)
    messages = dict(sent())
    assert list(messages) == [countersigns.email]
    assert "waits for your countersignature" in messages[countersigns.email].subject


def test_one_person_hears_of_one_turn_once():
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    (legal,) = team(Role.LEGAL)
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    assert told() == [legal.email]

    began = Event.objects.get(kind="pack.in_approval", subject_id=pack.public_id)
    for kind in (one for one in turns.every() if began.kind in one.events):
        turns.begin(kind, began)
        turns.begin(kind, Event(kind="application.released", subject_id=pack.application.public_id))
    assert told() == []


@pytest.mark.parametrize("why", ["done", "role", "closed"])
def test_nothing_is_sent_of_what_is_no_longer_ones_turn(why):
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    (legal,) = team(Role.LEGAL)
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    assert legal.public_id in begun()
    if why == "done":
        factories.approve(pack)
    elif why == "role":
        staff.take_role(legal, Role.LEGAL, by=SYSTEM)
    else:
        factories.change(User.objects.filter(pk=legal.pk), is_active=False)
    assert legal.email not in told()


def test_who_wants_one_e_mail_a_day_gets_the_turns_of_the_day_with_their_pages():
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    daily, at_once = team(Role.LEGAL, Role.LEGAL)
    choose(daily, WorkMail.DAILY)
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    assert told() == [at_once.email]

    def digests():
        before = len(outgoing.outbox)
        for delivery in EventDelivery.objects.waiting().filter(listener="governance.emails"):
            assert outbox.handle(delivery.pk)
        return {message.to[0]: message.body for message in outgoing.outbox[before:]}

    digest.ask_for_all(by=SYSTEM)
    found = digests()
    assert list(found) == [daily.email]
    assert f"{pack.number} of Kettle & Kiosk waits for your approval" in found[daily.email]
    assert pack.application.case_url in found[daily.email]
    assert "Packs: 1" in found[daily.email]
    outbox_events = Event.objects.filter(kind="staff.digest_due")
    outbox_events.update(happened_at=clock.now() - timedelta(days=1))
    Event.objects.filter(kind=turns.BEGAN).update(happened_at=clock.now() - timedelta(days=2))
    digest.ask_for_all(by=SYSTEM)
    assert "waits for your approval" not in digests()[daily.email]


def test_staff_choose_when_they_hear_on_their_details_and_others_are_not_asked():
    page = reverse("accounts:change_details")
    (legal,) = team(Role.LEGAL)
    client = factories.signed_in(Client(), legal)
    assert "When it is your turn" in client.get(page).text
    form = {"name": "Ada", "time_zone": "UTC", "wanted_mail": []}
    client.post(page, form | {"work_mail": "daily"})
    assert User.objects.get(pk=legal.pk).work_mail == WorkMail.DAILY
    assert client.post(page, form | {"work_mail": "never"}).status_code == 200
    assert User.objects.get(pk=legal.pk).work_mail == WorkMail.DAILY

    member = factories.owner_of(factories.a_business())
    client = factories.signed_in(Client(), member)
    assert "When it is your turn" not in client.get(page).text
    client.post(page, form | {"work_mail": "daily"})
    assert User.objects.get(pk=member.pk).work_mail == WorkMail.AT_ONCE


def test_account_managers_hear_of_their_own_businesses_alone():
    mine, other = team(Role.ACCOUNT_MANAGER, Role.ACCOUNT_MANAGER)
    pack = factories.a_pack(PackStatus.IN_REVIEW)
    businesses.set_account_manager(pack.business, mine, by=mine)
    pack = factories.walked(pack, PackStatus.IN_APPROVAL)
    with connection.cursor() as cursor:  # the stage is noted at the commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    ((address, message),) = sent()
    assert address == mine.email
    assert message.subject == "Kettle & Kiosk waits for us: its agreement is with our approvers"
    assert reverse("apikeys:business", args=[pack.business.public_id]) in message.body
    assert other.email not in told()


def test_a_business_that_stalls_is_told_to_its_account_manager_once():
    (mine,) = team(Role.ACCOUNT_MANAGER)
    quiet, busy = factories.a_business("Quiet Limited"), factories.a_business("Busy Limited")
    for one in (quiet, busy):
        businesses.set_account_manager(one, mine, by=mine)
    long_ago = clock.now() - timedelta(days=15)
    factories.change(Business.objects.filter(pk=quiet.pk), active_at=long_ago)
    for _ in range(2):
        account_turns.note_stalled()
    ((address, message),) = sent()
    assert address == mine.email
    assert message.subject == "Quiet Limited is stuck: nothing has happened for 14 days"


def test_a_new_account_manager_hears_of_what_waits_already_but_not_who_chose_themselves():
    before, after = team(Role.ACCOUNT_MANAGER, Role.ACCOUNT_MANAGER)
    ready = going.a_ready_business()
    businesses.set_account_manager(ready.business, before, by=before)
    going.a_request(ready)
    assert told() == [before.email]

    businesses.set_account_manager(ready.business, after, by=before)
    ((address, message),) = sent()
    assert address == after.email
    assert "asks to go live" in message.subject
    businesses.set_account_manager(ready.business, ready.manager, by=ready.manager)
    assert told() == []

    business = factories.a_reviewed_application(**answered.HIGH).business
    sent()
    businesses.set_account_manager(business, after, by=before)
    with connection.cursor() as cursor:  # the stage is noted at the commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert told() == [after.email]


@pytest.mark.parametrize("when", WorkMail)
def test_a_new_role_hears_once_of_what_waits_already(when):
    factories.a_pack(PackStatus.IN_APPROVAL)
    settled = EventDelivery.objects.waiting().filter(listener="governance.role.emails")
    person = factories.one_of_staff(Role.AUDITOR)
    choose(person, when)
    for delivery in settled.all():
        assert outbox.handle(delivery.pk)
    outgoing.outbox.clear()

    staff.give_role(person, Role.LEGAL, by=SYSTEM)
    for delivery in settled.all():
        assert outbox.handle(delivery.pk)
    found = [one for one in outgoing.outbox if one.to == [person.email]]
    if when == WorkMail.DAILY:
        assert found == []
        return
    (message,) = found
    assert message.subject == "Your new role, and what waits for you"
    assert "Packs: 1" in message.body
    assert reverse("agreements:packs") in message.body

    outgoing.outbox.clear()
    staff.give_role(person, Role.AUDITOR, by=SYSTEM)
    for delivery in settled.all():
        assert outbox.handle(delivery.pk)
    assert outgoing.outbox == []


def test_going_live_waits_first_for_the_account_manager_then_for_the_head():
    ready = going.a_ready_business()
    (other,) = team(Role.ACCOUNT_MANAGER)
    request = going.a_request(ready)
    assert told() == sorted([ready.manager.email, other.email])
    page = reverse("apikeys:go_live_request", args=[request.public_id])

    requests.propose(request, note=going.NOTE, by=ready.manager)
    messages = dict(sent())
    heads = staff.people_with(Permission.GO_LIVE_DECIDE).values_list("email", flat=True)
    assert sorted(messages) == sorted(heads)
    message = messages[ready.head.email]
    assert "waits for your decision" in message.subject
    assert page in message.body


def test_a_business_with_an_account_manager_asks_that_one_alone():
    ready = going.a_ready_business()
    (other,) = team(Role.ACCOUNT_MANAGER)
    businesses.set_account_manager(ready.business, ready.manager, by=other)
    going.a_request(ready)
    assert told() == [ready.manager.email]


def test_a_second_person_is_asked_but_not_the_first():
    first, second, head = team(Role.COMPLIANCE, Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE)
    case = factories.a_reviewed_application(**answered.LISTED)
    sent()
    check = case.checks.filter(status="needs_review")[0]
    runs.decide(check, passed=False, reason="A match.", by=first)
    ends_at = clock.now() + timedelta(days=9)
    waivers.propose(check, reason="Because.", ends_at=ends_at, by=first)
    messages = dict(sent())
    assert sorted(messages) == sorted([second.email, head.email])
    path = reverse("onboarding:decide_waiver", args=[check.public_id])
    assert path in messages[head.email].body


def test_the_head_hears_of_a_case_that_only_the_head_may_clear_whoever_owns_it():
    owner, other, head = team(Role.COMPLIANCE, Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE)
    case = factories.an_application("submitted", business=None, **answered.HIGH)
    casework.assign(case, owner, by=other)
    factories.settle_reviews()
    assert told() == sorted([owner.email, head.email])


def test_compliance_hears_of_a_wide_network_and_the_publisher_of_a_proposal():
    compliance, head = team(Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE)
    grant = world.a_grant()
    owner = factories.owner_of(grant.business)
    asked = allowlist.ask(grant, "10.0.0.0/8", reason="Our data centre.", by=owner)
    messages = dict(sent())
    assert sorted(messages) == sorted([compliance.email, head.email])
    path = reverse("apikeys:decide_network", args=[asked.public_id])
    assert path in messages[head.email].body

    factories.proposed(EDITIONS, EDITIONS.versions()[0], by=compliance)
    assert told() == [head.email]


def test_owners_hear_of_a_live_key_and_of_no_sandbox_key():
    business = factories.a_business()
    owner = factories.owner_of(business)
    closed = factories.a_member(business, Role.OWNER)
    factories.change(User.objects.filter(pk=closed.pk), is_active=False)
    world.a_key(world.a_grant(business))
    key, _ = world.a_key(world.a_grant(business, environment=Environment.LIVE), name="Live one")
    outgoing.outbox.clear()
    for delivery in EventDelivery.objects.waiting().filter(listener="apikeys.emails"):
        assert outbox.handle(delivery.pk)
    (message,) = [one for one in outgoing.outbox if "live key" in one.subject]
    assert message.to == [owner.email]
    assert reverse("apikeys:key", args=[business.public_id, key.public_id]) in message.body


def test_a_title_holds_no_name_that_reads_as_a_link():
    assert turns.name_of(Business(name="Acme")) == "Acme"
    assert turns.name_of(Business(name="evil.com")) == "a business"
