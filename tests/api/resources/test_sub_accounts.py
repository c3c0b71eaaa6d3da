"""Sub-accounts: every field, one at a time per address, and the table of section 2.16."""

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError

from api.payments import sub_accounts
from api.payments.lifecycle import SUB_ACCOUNT_LIFECYCLE, SubAccountStatus
from api.payments.models import SubAccount
from console.accounts.actors import SYSTEM
from console.audit.models import Entry
from console.core import clock
from console.core.refusals import WrongStatus
from tests.api.asking import a_client, pointed
from tests.api.calling import Caller, Reply
from tests.apikeys import world
from tests.waiting import at_once

PATH = "/sandbox/v1/sub-accounts"
HELPERS = "/sandbox/v1/test-helpers/sub-accounts"
VERBS = {
    "activate": ("pending", "active"),
    "reject": ("pending", "rejected"),
    "suspend": ("active", "suspended"),
    "lift": ("suspended", "active"),
}


def create(api: Caller, plain: str, email="kiosk@shop.example") -> Reply:
    return api.post(PATH, plain, {"email": email})


def move(api: Caller, plain: str, reference: str, word: str) -> Reply:
    return api.call("POST", f"{HELPERS}/{reference}/{word}", plain)


def test_it_is_answered_field_for_field(api, plain):
    reply = create(api, plain)

    assert reply.status == 201
    said = reply.json
    assert (said["success"], said["message"]) == (True, "Sub-account created successfully")
    row = SubAccount.objects.get()
    assert said["data"] == {
        "reference": row.public_id,
        "email": "kiosk@shop.example",
        "status": "pending",
        "createdAt": clock.iso(row.created_at),
    }
    assert said.keys() == {"success", "message", "data", "meta"}
    assert said["meta"].keys() == {"timestamp"}
    assert reply.headers["X-Request-Id"]
    (entry,) = Entry.objects.filter(subject_id=row.public_id)
    assert entry.code == "sub_account.created"


def test_the_same_address_is_answered_with_the_same_one(api, plain):
    first, again = create(api, plain), create(api, plain, "Kiosk@Shop.example")

    assert again.status == 201
    assert again.json["data"] == first.json["data"]
    others = create(api, a_client())
    assert others.json["data"]["reference"] != first.json["data"]["reference"]
    assert Entry.objects.filter(code="sub_account.created").count() == 2


def test_of_many_at_once_there_is_one(api, plain):
    replies = at_once(8, lambda _: create(api, plain))

    references = {reply.json["data"]["reference"] for reply in replies}
    assert references == {SubAccount.objects.get().public_id}


def test_the_database_keeps_one_for_each_address(api, plain):
    create(api, plain)
    one = SubAccount.objects.get()
    with pytest.raises(IntegrityError, match="one_sub_account_an_address"):
        SubAccount.objects.create(
            business=one.business,
            environment=one.environment,
            email="KIOSK@shop.example",
            created_at=clock.now(),
        )


@pytest.mark.parametrize(("word", "ends"), [("reject", True), ("close", True), ("activate", False)])
def test_after_an_end_a_new_one_may_be_made(api, plain, word, ends):
    first = create(api, plain).json["data"]["reference"]
    assert move(api, plain, first, word).status == 200

    assert (create(api, plain).json["data"]["reference"] != first) == ends


def test_an_invitation_lasts_14_days(api, plain):
    waiting = create(api, plain).json["data"]["reference"]
    accepted = create(api, plain, "other@shop.example").json["data"]["reference"]
    move(api, plain, accepted, "activate")

    for days, status in ((13, "pending"), (14, "closed")):
        with time_machine.travel(clock.now() + timedelta(days=days), tick=False):
            sub_accounts.close_expired()
        assert SubAccount.objects.get(public_id=waiting).status == status
    assert SubAccount.objects.get(public_id=accepted).status == "active"


def test_one_that_is_late_is_closed_before_the_next_is_made(api):
    business = world.a_grant().business

    def made():
        return sub_accounts.create(business, "sandbox", "kiosk@shop.example", by=SYSTEM).public_id

    first = made()
    with time_machine.travel(clock.now() + timedelta(days=15), tick=False):
        assert made() != first
    assert SubAccount.objects.get(public_id=first).status == "closed"


# The table of 2.16 --------------------------------------------------------------------------


def test_the_table_is_that_of_the_design():
    assert SUB_ACCOUNT_LIFECYCLE.moves == {
        "pending": {"active", "rejected", "closed"},
        "active": {"suspended", "closed"},
        "suspended": {"active", "closed"},
        "rejected": set(),
        "closed": set(),
    }


@pytest.mark.parametrize("word", [*VERBS, "close"])
def test_each_helper_moves_from_where_the_table_allows_it(word):
    business = world.a_grant().business
    for status in SubAccountStatus.values:
        moved_from(status, word, business)


def moved_from(status, word, business):
    email = f"{status}@shop.example"
    account = sub_accounts.create(business, "sandbox", email, by=SYSTEM)
    for earlier in {
        "active": ["activate"],
        "suspended": ["activate", "suspend"],
        "rejected": ["reject"],
        "closed": ["close"],
    }.get(status, []):
        account = getattr(sub_accounts, earlier)(account, by=SYSTEM)
    allowed = SUB_ACCOUNT_LIFECYCLE.before("closed")
    here, there = VERBS.get(word, (status if status in allowed else "", "closed"))

    if status == here:
        assert getattr(sub_accounts, word)(account, by=SYSTEM).status == there
    else:
        with pytest.raises(WrongStatus):
            getattr(sub_accounts, word)(account, by=SYSTEM)
        account.refresh_from_db()
        assert account.status == status


def test_a_helper_answers_what_it_moved_and_refuses_what_it_cannot(api, plain):
    reference = create(api, plain).json["data"]["reference"]

    reply = move(api, plain, reference, "activate")
    assert (reply.status, reply.json["message"]) == (200, "Sub-account activated")
    assert reply.json["data"]["status"] == "active"
    again = move(api, plain, reference, "activate")
    assert (again.status, again.code) == (422, "VALIDATION_ERROR")
    assert again.json["success"] is False


def test_an_address_of_no_shape_is_refused(api, plain):
    for email in ["nobody", "", None, 7, "a b@shop.example"]:
        assert pointed(create(api, plain, email)) == ["/email"]
