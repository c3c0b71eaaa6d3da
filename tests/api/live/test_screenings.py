"""Screening of live payments: nothing moves before its parties are compared, two people block."""

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from api.live_payments import screening_work
from api.payments import screenings, virtual_accounts
from api.payments.models import Deposit, PaymentScreening, VirtualAccount
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.core import clock
from console.core.refusals import NotAllowed, ReasonMissing, Stale
from console.governance import turns
from tests import factories
from tests.api.live.world import (
    a_live_key,
    an_account,
    left,
    money_in,
    pay,
    read,
    tell,
    work,
)
from tests.apikeys import world

PAGE = reverse("api:payments_to_check")
# The simulated screening service of the demo world finds this word in a name.
LISTED = {
    "account_name": "Sanctioned Shipping",
    "country": "NG",
    "account_number": "0123456784",
    "bank_code": "044",
}


@pytest.fixture
def plain(api, provider):
    _, plain = a_live_key()
    money_in(api, provider, an_account(api, plain, provider), "1000.00")
    provider.seen.clear()
    return plain


def reviewer(role=Role.COMPLIANCE):
    return factories.one_of_staff(role)


def a_match(api, plain) -> PaymentScreening:
    payout = pay(api, plain, bank_account=LISTED).json["id"]
    work()
    return PaymentScreening.objects.get(object_id=payout)


def blocked(row: PaymentScreening) -> PaymentScreening:
    screenings.propose(row, reason="Name and country agree.", by=reviewer())
    screenings.confirm(row, reason="So does the address.", by=reviewer())
    row.refresh_from_db()
    return row


def test_nothing_is_sent_before_its_parties_are_compared(api, provider, plain):
    payout = pay(api, plain).json["id"]
    row = PaymentScreening.objects.get(object_id=payout)
    assert (row.status, row.parties) == ("waiting", [{"name": "Ada Obi", "country": "NG"}])
    work()
    row.refresh_from_db()
    assert row.status == "clear"
    assert row.results[0]["passed"]
    assert provider.sent("PUT") == [f"/instructions/{payout}"]


def test_a_possible_match_waits_and_looks_pending_like_any_other(api, provider, plain):
    row = a_match(api, plain)
    assert row.status == "matched"
    assert not provider.seen
    assert read(api, plain, row.object_id)["status"] == "pending"
    assert left(api, plain) == ("900.00", "100.00")
    assert tell(api, provider, "instruction.completed", row.object_id, {}).status == 202
    work()
    assert read(api, plain, row.object_id)["status"] == "pending"


def test_not_the_same_lets_it_go_on_and_is_remembered(api, provider, plain):
    row = a_match(api, plain)
    screenings.clear(row, reason="Born thirty years later.", by=reviewer())
    work()
    assert provider.sent("PUT") == [f"/instructions/{row.object_id}"]

    assert a_match(api, plain).status == "clear"
    elsewhere = LISTED | {"account_name": "Sanctioned Shipping Ltd"}
    payout = pay(api, plain, bank_account=elsewhere).json["id"]
    work()
    assert PaymentScreening.objects.get(object_id=payout).status == "matched"


def test_another_business_asks_again_about_the_same_name(api, provider, plain):
    screenings.clear(a_match(api, plain), reason="Born thirty years later.", by=reviewer())
    work()
    _, another = a_live_key()
    money_in(api, provider, an_account(api, another, provider), "1000.00")
    assert a_match(api, another).status == "matched"


def test_two_people_block_and_the_money_stays_reserved(api, provider, plain):
    row = a_match(api, plain)
    first = reviewer()
    screenings.propose(row, reason="Name and country agree.", by=first)
    with pytest.raises(NotAllowed):
        screenings.confirm(row, reason="I am sure.", by=first)
    screenings.confirm(row, reason="So does the address.", by=reviewer())
    work()

    shown = read(api, plain, row.object_id)
    assert (shown["status"], shown["failure_reason"]) == ("failed", "compliance_blocked")
    assert left(api, plain) == ("900.00", "100.00")
    assert not provider.seen


def test_a_refused_proposal_leaves_the_match_open(api, plain):
    row = a_match(api, plain)
    screenings.propose(row, reason="Name and country agree.", by=reviewer())
    screenings.refuse(row, reason="Another person.", by=reviewer())
    row.refresh_from_db()
    assert (row.status, row.proposed_by, row.proposal) == ("matched", None, "")
    screenings.clear(row, reason="Another person.", by=reviewer())


def test_money_is_returned_by_the_head_of_compliance_alone(api, plain):
    row = blocked(a_match(api, plain))
    with pytest.raises(NotAllowed):
        screenings.give_back(row, reason="Licence 7 of 1 May.", by=reviewer())
    head = reviewer(Role.HEAD_OF_COMPLIANCE)
    screenings.give_back(row, reason="Licence 7 of 1 May.", by=head)
    assert left(api, plain) == ("1000.00", "0.00")
    with pytest.raises(Stale):
        screenings.give_back(row, reason="Licence 7 of 1 May.", by=head)
    assert left(api, plain) == ("1000.00", "0.00")


@pytest.mark.parametrize("verb", ["clear", "propose"])
def test_a_second_decision_is_stale_and_one_without_a_reason_is_refused(api, plain, verb):
    row = a_match(api, plain)
    with pytest.raises(ReasonMissing):
        getattr(screenings, verb)(row, reason=" ", by=reviewer())
    screenings.clear(row, reason="Another person.", by=reviewer())
    with pytest.raises(Stale):
        getattr(screenings, verb)(row, reason="Late.", by=reviewer())


def test_the_database_refuses_one_person_who_blocks(api, plain):
    row = a_match(api, plain)
    alone = reviewer()
    screenings.propose(row, reason="Name and country agree.", by=alone)
    with pytest.raises(IntegrityError, match="two_people_block_a_payment"), transaction.atomic():
        PaymentScreening.objects.filter(pk=row.pk).update(
            status="blocked", decided_by=alone, decided_at=clock.now(), reason="Alone."
        )


def test_arriving_money_of_a_possible_match_is_held_until_it_is_cleared(api, provider, plain):
    account = an_account(api, plain, provider)
    money_in(api, provider, account, "40.00", payer="Sanctioned Person")
    deposit = Deposit.objects.get(status="held")
    assert left(api, plain) == ("1000.00", "0.00")
    row = PaymentScreening.objects.get(object_id=deposit.public_id)

    screenings.clear(row, reason="Another person.", by=reviewer())
    assert left(api, plain) == ("1040.00", "0.00")
    deposit.refresh_from_db()
    assert deposit.status == "settled"


def test_unfreezing_does_not_release_what_is_not_cleared(api, provider, plain):
    account = an_account(api, plain, provider)
    virtual_accounts.freeze(VirtualAccount.objects.get(public_id=account), "business", by=SYSTEM)
    money_in(api, provider, account, "40.00", payer="Sanctioned Person")
    money_in(api, provider, account, "2.00")
    assert left(api, plain) == ("1000.00", "0.00")

    virtual_accounts.unfreeze(VirtualAccount.objects.get(public_id=account), "business", by=SYSTEM)
    assert left(api, plain) == ("1002.00", "0.00")
    row = PaymentScreening.objects.get(status="matched")
    screenings.clear(row, reason="Another person.", by=reviewer())
    assert left(api, plain) == ("1042.00", "0.00")


def test_a_refund_compares_the_payer_again(api, provider, plain):
    account = an_account(api, plain, provider)
    money_in(api, provider, account, "40.00", reference="BNK-R", payer="Ada Byron")
    body = {"payment_reference": "BNK-R", "amount": "40.00", "reason": "Wrong"}
    made = api.post("/v1/refunds", plain, body, HTTP_IDEMPOTENCY_KEY="refund-000001")
    assert made.status == 201, made.body
    row = PaymentScreening.objects.get(object_id=made.json["id"])
    assert row.parties == [{"name": "Ada Byron"}]


def test_the_holder_of_a_new_account_is_compared(api, provider, plain):
    made = api.post(
        "/v1/virtual-accounts",
        plain,
        {"currency": "GHS", "account_name": "Sanctioned Shipping"},
        HTTP_IDEMPOTENCY_KEY="account-00001",
    )
    assert made.status == 201, made.body
    work()
    row = PaymentScreening.objects.get(object_id=made.json["id"])
    blocked(row)
    assert VirtualAccount.objects.get(public_id=made.json["id"]).status == "failed"


def test_payments_wait_while_lists_are_missing(api, provider, plain, settings):
    settings.CHECK_PROVIDERS = {"screening": "lists"}
    payout = pay(api, plain).json["id"]
    work()
    row = PaymentScreening.objects.get(object_id=payout)
    assert row.status == "waiting"
    assert row.problem == "No sanctions list has been imported."
    assert not provider.seen
    with time_machine.travel(clock.now() + timedelta(minutes=11), tick=True):
        assert "1 live payments wait" in screening_work.concerns()[0]
        settings.CHECK_PROVIDERS = {}
        screenings.ask_due()
        work()
        assert not screening_work.concerns()
    assert provider.sent("PUT") == [f"/instructions/{payout}"]


def test_compliance_decides_on_the_page_and_nobody_else_opens_it(api, plain):
    row = a_match(api, plain)
    page = reverse("api:check_payment", args=[row.public_id])
    for role in (Role.COMMERCIAL, Role.ACCOUNT_MANAGER, Role.OPERATOR, Role.AUDITOR):
        client = factories.signed_in(Client(), reviewer(role))
        assert client.get(PAGE).status_code == 403
        assert client.get(page).status_code == 403
    first, second = reviewer(), reviewer()
    one, two = (factories.signed_in(Client(), who) for who in (first, second))
    assert row.object_id in one.get(PAGE).text
    assert "Sanctioned Shipping" in one.get(page).text
    assert one.post(page, {"outcome": "same"}).status_code == 422
    assert one.post(page, {"outcome": "same", "reason": "They agree."}).status_code == 302
    assert 'name="outcome"' not in one.get(page).text
    assert two.post(page, {"outcome": "yes", "reason": "They do."}).status_code == 302
    assert 'name="reason"' not in two.get(page).text
    head = factories.signed_in(Client(), reviewer(Role.HEAD_OF_COMPLIANCE))
    assert head.post(page, {"reason": "Licence 7."}).status_code == 302
    row.refresh_from_db()
    assert row.status == "returned"


def test_a_match_is_the_turn_of_compliance_and_a_proposal_of_another(api, plain):
    first, second = reviewer(), reviewer()
    row = a_match(api, plain)
    may = lambda _permission: True  # noqa: E731
    assert screening_work.TURNS.find(row.public_id, first, may) is not None
    screenings.propose(row, reason="They agree.", by=first)
    assert screening_work.TURNS.find(row.public_id, first, may) is None
    assert screening_work.TURNS.find(row.public_id, second, may) is not None
    assert screening_work.TURNS in turns.every()


def test_the_sandbox_has_names_that_do_the_same(api):
    grant = world.a_grant(products=("payouts", "balances"))
    plain = world.a_key(grant, scopes=("payouts:write", "balances:read"))[1]
    body = {
        "amount": "10.00",
        "currency": "NGN",
        "bank_account": LISTED | {"account_name": "Listed Person"},
    }
    before = api.get("/sandbox/v1/balances", plain, "currency=NGN").json["data"][0]
    made = api.post("/sandbox/v1/payouts", plain, body, HTTP_IDEMPOTENCY_KEY="listed-000001").json
    assert (made["status"], made["failure_reason"]) == ("failed", "compliance_blocked")
    after = api.get("/sandbox/v1/balances", plain, "currency=NGN").json["data"][0]
    assert float(after["reserved"]) == float(before["reserved"]) + 10
