"""Live providers that are a class of an installed package."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from api.payments import instructions
from api.payments.models import ProviderInstruction, VirtualAccount
from api.providers import configured, http, installed
from api.providers.installed import ProviderRefused, ProviderSilent
from apikeys.webhooks import webhook_secrets
from console.core import clock
from tests import installing
from tests.api.live.scripted import Scripted
from tests.api.live.world import a_live_key, an_account, left, money_in, pay, read, tell, work

SOURCE = """
from api.providers.installed import ProviderRefused, ProviderSilent

class Theirs:
    name = "theirs"
    def __init__(self):
        self.asked, self.answers = [], []
    def instruct(self, id, instruction):
        return self.say("instruct", id, instruction)
    def find_instruction(self, id):
        return self.say("find_instruction", id)
    def open_account(self, id, account):
        return self.say("open_account", id, account)
    def find_account(self, id):
        return self.say("find_account", id)
    def statement(self, business, currency, day):
        return self.say("statement", business, currency, day)
    def say(self, *asked):
        self.asked.append(asked)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer
"""


@pytest.fixture
def adapter(tmp_path, monkeypatch, settings):
    installing.offer(tmp_path, monkeypatch, installed.GROUP, SOURCE)
    settings.LIVE_PROVIDERS = section()
    found = installed.adapter("theirs")
    assert found is not None
    return found


def section(*lines: str, secret: str = "") -> str:
    return "\n".join(
        (
            "[bank]",
            'work = ["payouts", "virtual_accounts"]',
            f'event_secrets = ["{secret or webhook_secrets.make()}"]',
            *(lines or ('adapter = "theirs"',)),
        )
    )


@pytest.fixture
def plain(api, adapter, settings):
    """A business with 1,000 naira: its account was issued, and money came in by an event."""
    secret = webhook_secrets.make()
    settings.LIVE_PROVIDERS = section('adapter = "theirs"', secret=secret)
    _, plain = a_live_key()
    made = api.post(
        "/v1/virtual-accounts", plain, {"currency": "NGN"}, HTTP_IDEMPOTENCY_KEY="an-account-1"
    )
    issued = {"status": "issued", "account_number": "0123456789", "bank_name": "Their Bank"}
    adapter.answers.append({"id": made.json["id"], **issued})
    work()
    assert VirtualAccount.objects.get(public_id=made.json["id"]).status == "active"
    ((asked, identifier, body),) = adapter.asked
    assert (asked, identifier, body["currency"]) == ("open_account", made.json["id"], "NGN")
    provider = Scripted(event_secret=secret)
    money_in(api, provider, made.json["id"], "1000.00")
    assert left(api, plain) == ("1000.00", "0.00")
    adapter.asked.clear()
    return plain


def test_an_adapter_executes_a_payout(api, adapter, plain):
    payout = pay(api, plain).json["id"]
    adapter.answers.append(
        {"id": payout, "status": "completed", "reason": None, "provider_reference": "T-1"}
    )
    work()
    ((asked, identifier, body),) = adapter.asked
    assert (asked, identifier) == ("instruct", payout)
    assert (body["kind"], body["amount"], body["environment"]) == ("payout", "100.00", "live")
    assert read(api, plain, payout)["status"] == "completed"
    assert left(api, plain) == ("900.00", "0.00")
    assert ProviderInstruction.objects.get(public_id=payout).provider_reference == "T-1"


@pytest.mark.parametrize(
    "silence",
    [
        ProviderSilent("It is down."),
        KeyError("status"),
        {},
        {"id": "x", "status": "done"},
        {"status": {1, 2}},
        [],
        "completed",
    ],
    ids=str,
)
def test_after_silence_or_a_mistake_we_ask_where_it_is(api, adapter, plain, silence):
    payout = pay(api, plain).json["id"]
    adapter.answers.append(silence)
    work()
    assert ProviderInstruction.objects.get(public_id=payout).problem
    assert read(api, plain, payout)["status"] == "pending"

    adapter.answers += [None, {"id": payout, "status": "accepted"}]
    with time_machine.travel(clock.now() + timedelta(minutes=1), tick=False):
        instructions.ask_due()
        work()
    assert [asked for asked, *_ in adapter.asked] == ["instruct", "find_instruction", "instruct"]
    assert read(api, plain, payout)["status"] == "pending"


def test_what_an_adapter_refuses_waits_for_staff(api, adapter, plain):
    payout = pay(api, plain).json["id"]
    adapter.answers.append(ProviderRefused("No such branch."))
    work()
    instruction = ProviderInstruction.objects.get(public_id=payout)
    assert (instruction.status, instruction.problem) == ("stuck", "No such branch.")
    assert left(api, plain) == ("900.00", "100.00")


def test_an_adapter_has_statements(adapter):
    provider = configured.named("bank")
    assert provider is not None
    movements = [{"object": "pay_1", "provider_reference": "T", "amount": "-2.00"}]
    movements[0]["at"] = "2026-11-29T10:00:00Z"
    adapter.answers.append(
        {
            "business": "biz_1", "currency": "NGN", "date": "2026-11-29",
            "opening": "2.00", "closing": "0.00", "movements": movements,
        }
    )  # fmt: skip
    found = http.statement(provider, "biz_1", "NGN", "2026-11-29")
    assert found is not None
    assert found.adds_up
    assert adapter.asked == [("statement", "biz_1", "NGN", "2026-11-29")]
    adapter.answers.append(None)
    assert http.statement(provider, "biz_1", "NGN", "2026-11-30") is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (('adapter = "other"',), "bank: .*no installed package has the adapter.*theirs"),
        (('adapter = "theirs"', 'url = "https://bank.example"'), "say url and request_secret, or"),
        (('adapter = "theirs"', f'request_secret = "whsec_{"A" * 32}"'), "say url and request_s"),
        (('url = "https://bank.example"',), "say url and request_secret, or adapter"),
        ((f'request_secret = "whsec_{"A" * 32}"',), "say url and request_secret, or adapter"),
        (("seconds = 5",), "say url and request_secret, or adapter"),
    ],
)
def test_a_wrong_section_refuses_to_start(adapter, settings, lines, said):
    settings.LIVE_PROVIDERS = section(*lines)
    with pytest.raises(ImproperlyConfigured, match=said):
        configured.providers()


@pytest.mark.parametrize("source", ["", "raise RuntimeError('No.')", "class Theirs: pass"])
def test_what_cannot_be_loaded_refuses_to_start(tmp_path, monkeypatch, settings, source):
    installing.offer(tmp_path, monkeypatch, installed.GROUP, source)
    settings.LIVE_PROVIDERS = section()
    with pytest.raises(ImproperlyConfigured, match="theirs"):
        configured.providers()


def test_the_check_of_a_provider_needs_an_address(adapter):
    with pytest.raises(CommandError, match="has no address to check"):
        call_command("provider", "check", "bank", stdout=StringIO())


def test_events_of_an_adapter_are_signed_too(api, adapter, plain):
    payout = pay(api, plain).json["id"]
    adapter.answers.append({"id": payout, "status": "accepted"})
    work()
    forged = tell(api, Scripted(), "instruction.completed", payout, {})
    assert forged.status == 401
    assert read(api, plain, payout)["status"] == "pending"


def test_another_provider_is_asked_over_http_as_before(api, provider):
    _, plain = a_live_key()
    assert an_account(api, plain, provider)
    assert provider.sent("PUT")
