"""What the console sends fits the published protocol, and the reference provider takes it."""

from datetime import timedelta

import time_machine

from api.payments import instructions
from api.payments.models import ProviderInstruction
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
