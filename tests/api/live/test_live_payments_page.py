"""Staff's page of live payments: what waits, and what operators decide."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from api.live_payments import open_work
from api.payments.models import ProviderBreak, ProviderInstruction
from console.accounts.roles import Role
from console.governance import health_notices
from tests import factories
from tests.api.live.world import a_live_key, an_account, money_in, pay, tell, work

PAGE = reverse("api:live_payments")


def a_stuck_payout(api, provider):
    """Return the ID of a payout that its provider refuses to read, beside an open difference."""
    _, plain = a_live_key()
    account = an_account(api, plain, provider)
    money_in(api, provider, account, "50.00", reference="BNK-1")
    payout = pay(api, plain, "5.00").json["id"]
    provider.answers.append((400, {"error": {"code": "no", "message": "<b>Unreadable</b>"}}))
    work()
    tell(
        api,
        provider,
        "deposit.received",
        account,
        {"amount": "9.00", "currency": "NGN", "provider_reference": "BNK-1", "payer_name": "A"},
    )
    work()
    return payout


def test_an_operator_decides_and_others_read(api, provider):
    payout = a_stuck_payout(api, provider)
    row = ProviderBreak.objects.get()
    operator = factories.signed_in(Client(), factories.one_of_staff(Role.OPERATOR))
    auditor = factories.signed_in(Client(), factories.one_of_staff(Role.AUDITOR))
    ask, close = (
        reverse("api:ask_again", args=[payout]),
        reverse("api:close_break", args=[row.public_id]),
    )

    shown = auditor.get(PAGE).text
    assert payout in shown
    assert "&lt;b&gt;Unreadable&lt;/b&gt;" in shown
    assert ask not in shown
    assert auditor.post(ask).status_code == 403
    assert auditor.get(close).status_code == 403

    assert operator.post(ask).status_code == 302
    work()
    assert ProviderInstruction.objects.get(public_id=payout).status == "accepted"
    assert operator.post(ask).status_code == 404

    assert operator.post(close, {"reason": " "}).status_code == 200
    assert operator.post(close, {"reason": "The payer sent both."}).status_code == 302
    again = operator.post(close, {"reason": "Twice."})
    assert again.status_code == 409
    row.refresh_from_db()
    assert row.reason == "The payer sent both."

    csv = operator.get(f"{PAGE}?as=csv").getvalue().decode()
    assert row.public_id in csv
    assert "The payer sent both." in csv


def test_health_notices_name_what_is_wrong(api, provider):
    a_stuck_payout(api, provider)
    assert len(open_work.concerns()) == 2
    assert set(open_work.concerns()) <= set(health_notices.told())


def test_the_page_costs_the_same_with_many_rows(api, provider):
    operator = factories.signed_in(Client(), factories.one_of_staff(Role.OPERATOR))
    counts = []
    for _ in range(2):
        a_stuck_payout(api, provider)
        with CaptureQueriesContext(connection) as asked:
            operator.get(PAGE)
            counts.append(len(asked))
    assert counts[0] == counts[1]
