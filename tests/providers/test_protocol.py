"""The published protocol: valid OpenAPI, true of the reference provider, with samples that run."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
import yaml
from standardwebhooks import Webhook

from tests.guards.tree import ROOT
from tests.providers.reference import (
    EVENT_SECRET,
    REQUEST_SECRET,
    ReferenceProvider,
    StandInConsole,
    running,
    signed,
)
from tests.waiting import eventually

PAGE = (ROOT / "docs/providers.md").read_text()
METHODS = ("get", "put", "post")


@cache
def protocol() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docs/provider-protocol.yaml").read_text())
    return found


def errors_of(schema: dict[str, Any], value: Any) -> list[str]:
    """Return where a value does not fit a schema of the protocol."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(
        schema | {"components": protocol()["components"]},
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]


def named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_it_is_valid():
    from openapi_spec_validator import OpenAPIV31SpecValidator

    OpenAPIV31SpecValidator(protocol()).validate()


def test_every_example_fits_its_schema():
    shown = []
    pending: list[Any] = [protocol()]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            pending += node.values()
            if "schema" in node and "examples" in node:
                shown += [(node["schema"], one["value"]) for one in node["examples"].values()]
    assert len(shown) > 10
    assert [(value, wrong) for schema, value in shown if (wrong := errors_of(schema, value))] == []


@pytest.mark.parametrize(
    ("schema", "changes"),
    [
        ("InstructionState", {"status": "failed"}),
        ("InstructionState", {"reason": "other"}),
        ("InstructionState", {"status": "done"}),
        ("AccountState", {"account_number": ""}),
        ("AccountState", {"status": "pending"}),
        ("Event", {"data": {}}),
        ("Event", {"sequence": 0}),
        ("Event", {"type": "instruction.failed"}),
        ("Event", {"occurred_at": "yesterday"}),
        ("Instruction", {"amount": 12}),
        ("Instruction", {"amount": "12,00"}),
        ("Instruction", {"kind": "conversion"}),
    ],
)
def test_it_refuses_what_the_page_does_not_allow(schema, changes):
    values: dict[str, Any] = {
        "InstructionState": {
            "id": "pay_1", "status": "accepted", "reason": None, "provider_reference": "B",
        },
        "AccountState": {
            "id": "vac_1", "status": "issued", "account_number": "1", "bank_name": "B",
            "reason": None,
        },
        "Event": {
            "id": "evt_1", "sequence": 1, "type": "instruction.completed", "object": "pay_1",
            "occurred_at": "2026-11-29T10:00:00Z", "data": {"provider_reference": "B"},
        },
        "Instruction": an_instruction(),
    }  # fmt: skip
    assert errors_of(named(schema), values[schema]) == []
    assert errors_of(named(schema), values[schema] | changes) != []


# The reference provider


def an_instruction(**changes: Any) -> dict[str, Any]:
    account = {"country": "NG", "account_number": "0123456784", "bank_code": "044"}
    return {
        "kind": "payout",
        "environment": "live",
        "business": "biz_1",
        "amount": "12.00",
        "currency": "NGN",
        "reference": "INV 7",
        "created_at": "2026-11-29T10:00:00Z",
        "details": {"bank_account": account | {"account_name": "Ada Obi"}},
    } | changes


def a_card() -> dict[str, Any]:
    (example,) = protocol()["paths"]["/cards/{id}"]["put"]["requestBody"]["content"][
        "application/json"
    ]["examples"].values()
    found: dict[str, Any] = example["value"]
    return found


def a_change(**changes: Any) -> dict[str, Any]:
    return {
        "environment": "live",
        "business": "biz_1",
        "object": "crd_1",
        "status": "frozen",
        "number": 1,
    } | changes


def play_cards(provider: ReferenceProvider, call: Callable[..., None]) -> None:
    """Order three cards, and let the first be frozen, released, used, activated and ended."""
    used = "do=Use&amount=2.00&merchant_name=A+Shop"
    for choice, name in (("", "crd_1"), ("44", "crd_44"), ("45", "crd_45")):
        provider.press("next", f"choice={choice}")
        call("PUT", f"/cards/{name}", a_card())
    call("PUT", "/changes/crd_1.1", a_change())
    call("GET", "/changes/crd_1.1")
    call("PUT", "/changes/crd_none.1", a_change(object="crd_none"))
    assert provider.press("pay/crd_1", used) == 400
    call("PUT", "/changes/crd_1.2", a_change(status="active", number=2))
    for press in (used, "do=Activate", "do=Terminate"):
        assert provider.press("pay/crd_1", press) == 200


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    with running(tmp_path_factory.mktemp("provider")) as pair:
        yield pair


def schema_of(method: str, path: str, status: int) -> dict[str, Any]:
    """Return what the protocol says about the answer to a request."""
    (item,) = (
        item for template, item in protocol()["paths"].items()
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path.partition("?")[0])
    )  # fmt: skip
    answers = item[method.lower()]["responses"]
    answer = answers.get(str(status)) or answers[f"{status // 100}XX"]
    if ref := answer.get("$ref"):
        answer = protocol()["components"]["responses"][ref.rpartition("/")[2]]
    found: dict[str, Any] = answer["content"]["application/json"]["schema"]
    return found


def test_what_the_reference_provider_says_fits(both):
    provider: ReferenceProvider
    console: StandInConsole
    provider, console = both
    day = time.strftime("%Y-%m-%d", time.gmtime())
    account = {"environment": "live", "business": "biz_1", "currency": "EUR"}
    account |= {"account_name": "Ada Obi Ltd"}
    bought = {"to_amount": "5.00", "to_currency": "USD"}
    said = []

    def call(method: str, path: str, body: Any = None, **changes: str) -> None:
        status, answer = provider.call(method, path, body, **changes)
        wrong = errors_of(schema_of(method, path, status), answer)
        said.append((method, path, status, wrong))

    sent: dict[str, dict[str, Any]] = {
        "pay_1": {}, "pay_2": {"amount": "1.44"}, "pay_3": {"kind": "other"},
        "pay_4": {"kind": "conversion", "details": bought}, "pay_5": {"amount": "1.49"},
    }  # fmt: skip
    for name, changes in sent.items():
        body = an_instruction(**changes)
        assert errors_of(named("Instruction"), body) == []
        call("PUT", f"/instructions/{name}", body)
    call("PUT", "/instructions/pay_1", an_instruction(amount="13.00"))
    call("PUT", "/instructions/pay_6", {})
    call("PUT", "/instructions/pay_6", {}, **{"webhook-timestamp": "1"})
    call("GET", "/instructions/pay_none")
    call("PUT", "/accounts/vac_1", account)
    for choice in ("44", "45"):
        provider.press("next", f"choice={choice}")
        call("PUT", f"/accounts/vac_{choice}", account)
    provider.press("decide/accounts/vac_45", "do=Complete")
    play_cards(provider, call)
    provider.press("pay/vac_1", "amount=7.00&payer_name=Payer&source_reference=")
    eventually(partial(console.about, "vac_1"))
    eventually(partial(console.about, "pay_2"))
    eventually(partial(console.about, "pay_4"))
    for name in ("pay_1", "pay_2", "pay_3"):
        call("GET", f"/instructions/{name}")
    for name in ("vac_1", "vac_44", "vac_45"):
        call("GET", f"/accounts/{name}")
    for currency in ("NGN", "EUR", "GBP"):
        call("GET", f"/statements/{currency}/{day}?business=biz_1")
    call("GET", f"/statements/NGN/{day}")

    assert [one for one in said if one[3]] == []
    assert {status for _, _, status, _ in said} == {200, 400, 401, 404, 409, 500}
    eventually(lambda: len({event["type"] for event in console.events}) == 8)
    assert [errors_of(named("Event"), event) for event in console.events] == [[]] * len(
        console.events
    )


# The samples of the page


def samples(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_python_samples_sign_and_verify(both):
    _, console = both
    page: dict[str, Any] = {}
    exec("\n".join(samples("python")), page)  # the samples are ours
    line, body = "PUT /instructions/pay_123", b'{"kind":"payout"}'
    right = signed(line, body, REQUEST_SECRET)
    is_genuine = partial(page["is_genuine"], [EVENT_SECRET, REQUEST_SECRET])
    assert is_genuine(line, right, body)
    assert not is_genuine(line, right, body + b" ")
    assert not is_genuine("PUT /instructions/pay_124", right, body)
    assert not is_genuine(line, signed(line, body, REQUEST_SECRET, at=time.time() - 400), body)
    assert not is_genuine(line, {}, body)
    assert not page["is_genuine"]([EVENT_SECRET], line, right, body)

    event = {"id": "evt_sample", "object": "pay_123"}
    assert page["send"](f"{console.url}/providers/bank/events", EVENT_SECRET, event) == 202
    _, headers, body = console.received[-1]
    assert Webhook(EVENT_SECRET).verify(body, headers) == event


def test_the_shell_sample_works(both):
    provider, _ = both
    (sample,) = samples("bash")
    assert "http://127.0.0.1:8900" in sample
    done = subprocess.run(
        ["bash", "-c", sample.replace("http://127.0.0.1:8900", provider.url)],
        env={"PATH": os.environ["PATH"], "PROVIDER_REQUEST_SECRET": REQUEST_SECRET},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(text) for text in re.findall(r"\{.*?\}", done.stdout))
    assert first["status"] == "accepted"
    assert first["provider_reference"] == second["provider_reference"]


def test_the_page_names_what_the_protocol_has():
    for path in protocol()["paths"]:
        assert path in PAGE
    schemas = protocol()["components"]["schemas"]
    for kind in schemas["Event"]["properties"]["type"]["enum"]:
        assert re.search(rf"^\|.*`{kind}`.*\|", PAGE, re.MULTILINE)
