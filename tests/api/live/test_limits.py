"""Limits of live money out: by tier, declared volume and our staff; counted once, given back."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from api.payments import limits
from console.accounts.roles import Role
from console.core import clock
from console.core.money import Money
from console.core.refusals import NotAllowed
from tests import factories
from tests.api.asking import faults
from tests.api.live.world import a_live_key, an_account, money_in, pay, read, tell, work
from tests.apikeys import world


def euros(text):
    return Money.parse(text, "EUR")


def in_naira(text):
    """Return what this amount of naira counts, in euros at the rates of the tests' files."""
    return limits._cents(Money.parse(text, "NGN"))


@pytest.fixture
def live(api, provider):
    grant, plain = a_live_key()
    account = an_account(api, plain, provider)
    money_in(api, provider, account, "900000000.00")
    return grant, plain


def set_to(grant, month, payment, role=Role.HEAD_OF_COMPLIANCE):
    by = factories.one_of_staff(role)
    return limits.set_limits(
        grant.business, euros(month), euros(payment), reason="Agreed with them.", by=by
    )


def test_a_payment_over_its_limit_is_refused_at_the_amount(api, live):
    grant, plain = live
    assert limits.of(grant.business).payment == euros("50000.00")
    set_to(grant, "1000.00", "60.00")
    reply = pay(api, plain, "110000.00")
    assert faults(reply) == [("/amount", "over_limit")]
    assert "60.00 EUR" in reply.json["errors"][0]["detail"]
    assert limits.spent(grant.business).minor == 0
    assert pay(api, plain, "100000.00").status == 201
    assert limits.spent(grant.business).minor == in_naira("100000.00")


def test_a_month_is_full_and_the_next_one_is_empty(api, live):
    grant, plain = live
    set_to(grant, "100.00", "60.00")
    assert pay(api, plain, "100000.00").status == 201  # 59 euros
    reply = pay(api, plain, "100000.00")
    assert faults(reply) == [("/amount", "over_limit")]
    assert "41.00 EUR" in reply.json["errors"][0]["detail"]
    # The request log has no days that far ahead, so no call is made there.
    money = Money.parse("100000.00", "NGN")
    with transaction.atomic():
        later = clock.now() + timedelta(days=32)
        assert limits.count(grant.business, money, [money], later) == in_naira("100000.00")


def test_what_fails_no_longer_counts_and_what_completes_does(api, provider, live):
    grant, plain = live
    first, second = (pay(api, plain, "100000.00").json["id"] for _ in range(2))
    work()
    tell(api, provider, "instruction.failed", first, {"reason": "rejected_by_bank"})
    tell(api, provider, "instruction.failed", first, {"reason": "rejected_by_bank"})
    tell(api, provider, "instruction.completed", second, {})
    work()
    assert read(api, plain, first)["status"] == "failed"
    assert limits.spent(grant.business).minor == in_naira("100000.00")


def test_payments_at_once_do_not_pass_the_limit_together(api, live):
    grant, plain = live
    set_to(grant, "100.00", "60.00")
    done = world.pressed_at_once(lambda: _paid(api, plain), 4)
    assert done == 1
    assert limits.spent(grant.business).minor == in_naira("100000.00")


def _paid(api, plain):
    reply = pay(api, plain, "100000.00")
    if reply.status != 201:
        raise NotAllowed(reply.code)


def test_the_account_team_lowers_and_compliance_raises(live):
    grant, _ = live
    set_to(grant, "500.00", "50.00", Role.ACCOUNT_MANAGER)
    with pytest.raises(NotAllowed):
        set_to(grant, "500.00", "51.00", Role.ACCOUNT_MANAGER)
    with pytest.raises(NotAllowed):
        set_to(grant, "400.00", "40.00", Role.LEGAL)
    set_to(grant, "600.00", "60.00", Role.COMPLIANCE)
    assert limits.of(grant.business).month == euros("600.00")


@pytest.mark.parametrize("month", ["", "-1", "1e5", "1,000", "99999999999999999", "1.001"])
def test_the_page_keeps_what_cannot_be_read(live, month):
    grant, _ = live
    page = reverse("api:live_limits", args=[grant.business.public_id])
    manager = factories.signed_in(Client(), factories.one_of_staff(Role.ACCOUNT_MANAGER))
    sent = {"month": month, "payment": "10.00", "reason": "Agreed."}
    shown = manager.post(page, sent)
    if month == "1e5":
        assert shown.status_code == 302
    else:
        assert shown.status_code == 200
        assert limits.of(grant.business).chosen is None


def test_the_page_sets_limits(live):
    grant, _ = live
    page = reverse("api:live_limits", args=[grant.business.public_id])
    manager = factories.signed_in(Client(), factories.one_of_staff(Role.ACCOUNT_MANAGER))
    sent = {"month": "1000", "payment": "10.00", "reason": "Agreed."}
    assert manager.post(page, sent).status_code == 302
    assert "1,000.00 EUR" in manager.get(page).text
    assert limits.of(grant.business).payment == euros("10.00")
