"""What the console sends fits the published protocol, and the reference provider takes it."""

from datetime import timedelta

import pytest
import time_machine
from pydantic import ValidationError

from api.payments import instructions
from api.payments.models import ProviderInstruction
from api.providers import messages
from console.core import clock
from tests.api.live.world import a_live_key, an_account, left, money_in, pay, read, work
from tests.providers.reference import running
from tests.providers.test_protocol import errors_of, named


def test_what_we_send_fits_the_published_protocol(api, provider):
    _, plain = a_live_key()
    money_in(api, provider, an_account(api, plain, provider), "1000.00")
    pay(api, plain, reference="INV-7")
    pay(api, plain)
    work()
    sent = [(path.split("/")[1], body) for method, path, body in provider.seen if method == "PUT"]
    assert [kind for kind, _ in sent] == ["accounts", "instructions", "instructions"]
    schemas = {"accounts": "NewAccount", "instructions": "Instruction"}
    assert [errors_of(named(schemas[kind]), body) for kind, body in sent] == [[], [], []]


LONG = "x" * 141
EVENTS = {
    "instruction.completed": {"provider_reference": "B"},
    "instruction.failed": {"reason": "other"},
    "account.issued": {"account_number": "0123456789", "bank_name": "B"},
    "account.refused": {"reason": "other"},
    "deposit.received": {
        "amount": "1.00",
        "currency": "NGN",
        "provider_reference": "B",
        "source_reference": "",
        "payer_name": "Payer",
    },
}


@pytest.mark.parametrize("kind", EVENTS)
def test_we_read_the_events_that_the_published_protocol_allows(kind):
    data = EVENTS[kind]
    shape = messages.DATA[kind]
    for name, values in {
        "provider_reference": ("", LONG[1:], LONG),
        "account_number": ("", LONG[:34], LONG[:35]),
        "bank_name": ("", LONG[:100], LONG[:101]),
        "source_reference": (LONG[1:], LONG),
        "payer_name": ("", LONG[1:], LONG),
        "reason": ("other", "compliance", "bad"),
        "amount": ("1", "0.12345678", "0.123456789", "1e3", "1,00"),
    }.items():
        for value in values if name in data else ():
            event = {
                "id": "evt_1", "sequence": 1, "type": kind, "object": "pay_1",
                "occurred_at": "2026-11-29T10:00:00Z", "data": data | {name: value},
            }  # fmt: skip
            if not errors_of(named("Event"), event):
                assert shape.model_validate(event["data"]), (name, value)
            elif value:  # we may accept less than a bank must send, such as no reference
                with pytest.raises(ValidationError):
                    shape.model_validate(event["data"])


def test_an_account_may_have_the_longest_iban(api, provider):
    _, plain = a_live_key()
    made = api.post(
        "/v1/virtual-accounts", plain, {"currency": "EUR"}, HTTP_IDEMPOTENCY_KEY="an-account-1"
    )
    longest = "RU0204452560040702810412345678901"
    issued = {"status": "issued", "account_number": longest, "bank_name": "Their Bank"}
    provider.answers.append((200, {"id": made.json["id"], **issued}))
    work()
    read = api.get(f"/v1/virtual-accounts/{made.json['id']}", plain).json
    assert (read["status"], read["account_number"]) == ("active", longest)


def test_a_payout_completes_at_the_reference_provider_although_its_answer_is_lost(
    api, provider, tmp_path, settings
):
    _, plain = a_live_key()
    money_in(api, provider, an_account(api, plain, provider), "1000.00")
    with running(tmp_path) as (bank, _):
        settings.LIVE_PROVIDERS = bank.toml
        payout = pay(api, plain, "1.46").json["id"]
        work()
        assert ProviderInstruction.objects.get(public_id=payout).problem == "It did not answer."
        assert read(api, plain, payout)["status"] == "pending"
        with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
            instructions.ask_due()
            work()
        assert read(api, plain, payout)["status"] == "completed"
        assert left(api, plain) == ("998.54", "0.00")
