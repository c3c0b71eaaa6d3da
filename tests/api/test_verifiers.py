"""The published verifiers: every vector and case, in Python, Node.js and a browser."""

import base64
import json
import subprocess
from datetime import UTC, datetime
from typing import Any

import pytest
import standardwebhooks
import time_machine
from django.urls import reverse
from django.utils.html import escape

from api.reference import verifier_samples
from api.serializers import ObjectField
from api.v1.router import OPERATIONS
from apikeys.webhooks import delivery_signatures, webhook_secrets
from console.events import public_kinds
from tests.api.signature_vectors import CASES, PAID, S1, S2, VECTORS, T
from tests.api.table.test_samples import NODE

HARNESS = """
  const results = [];
  for (const one of cases) {
    const pairs = one.body.match(/../g) ?? [];
    const body = Uint8Array.from(pairs, (pair) => parseInt(pair, 16));
    results.push(await verify(one.secret, one.header, body, one.now));
  }
"""


def by_python(cases: list[dict[str, Any]], page: object) -> list[bool]:
    made: dict[str, Any] = {}
    exec(verifier_samples.PYTHON, made)
    verify = made["verify"]
    return [
        verify(one["secret"], one["header"], bytes.fromhex(one["body"]), one["now"])
        for one in cases
    ]


def by_node(cases: list[dict[str, Any]], page: object) -> list[bool]:
    code = (
        'import { readFileSync } from "node:fs";\n'
        f"{verifier_samples.JAVASCRIPT}\n"
        f"const cases = JSON.parse(readFileSync(0));{HARNESS}console.log(JSON.stringify(results));"
    )
    command = [str(NODE), "--input-type=module", "-e", code]
    done = subprocess.run(
        command, input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    found: list[bool] = json.loads(done.stdout)
    return found


def by_browser(cases: list[dict[str, Any]], page: Any) -> list[bool]:
    code = base64.b64encode(verifier_samples.JAVASCRIPT.encode()).decode()
    found: list[bool] = page.evaluate(
        "async ([code, cases]) => {"
        "const { verify } = await import(`data:text/javascript;base64,${code}`);"
        f"{HARNESS} return results; }}",
        [code, cases],
    )
    return found


@pytest.fixture(scope="module")
def blank(chromium):
    """An empty page at a URL where browsers offer WebCrypto."""
    page = chromium.new_page()
    page.route(
        "**/*", lambda route: route.fulfill(body="<title>x</title>", content_type="text/html")
    )
    page.goto("http://localhost/")
    yield page
    page.close()


VERIFIERS = pytest.mark.parametrize("verified", [by_python, by_node, by_browser])


@VERIFIERS
def test_every_case_of_the_table(verified, blank):
    found = verified([{**case, "secret": S1} for case in CASES.values()], blank)

    wrong = [
        name for (name, case), said in zip(CASES.items(), found, strict=True)
        if said is not case["accepted"]
    ]  # fmt: skip
    assert wrong == []


@VERIFIERS
def test_every_vector(verified, blank):
    cases = [
        {"secret": secret, "header": f"t={at},v1={v1}", "body": body.encode().hex(), "now": at}
        for secret, at, body, _, v1 in VECTORS.values()
    ]
    assert verified(cases, blank) == [True] * 13
    assert verified([{**case, "secret": "x"} for case in cases], blank) == [False] * 13


@pytest.mark.parametrize(("secret", "at", "body", "length", "v1"), VECTORS.values(), ids=VECTORS)
def test_we_sign_as_the_vectors_say(secret, at, body, length, v1):
    assert len(body.encode()) == length
    assert delivery_signatures.service_signature(secret, at, body.encode()) == f"t={at},v1={v1}"


# Standard Webhooks -------------------------------------------------------------------------------


def test_we_sign_as_the_vectors_of_standard_webhooks_say():
    published = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    event, at, body = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    assert delivery_signatures.standard_signature([published], event, at, body) == (
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )
    during = delivery_signatures.standard_signature(
        [S2, S1], "evt_01K3VQ6T9Z8Q4J7M2N5P0R1S3T", T, PAID.encode()
    )
    assert during == (
        "v1,JOdwtYYAnAfGA3MBAj3n93GQjgTxtyTPEDIgE35O5V0= "
        "v1,QpP5zKZ7nxQS823MRi/hMjR8N51IwXmRYrdm9fEA8ys="
    )


@pytest.mark.parametrize("count", [1, 2])
def test_a_library_of_standard_webhooks_verifies_us(count):
    keys = [webhook_secrets.make() for _ in range(count)]
    body = '{"type":"fact.told"}'
    headers = {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(T),
        "webhook-signature": delivery_signatures.standard_signature(
            keys, "evt_1", T, body.encode()
        ),
    }
    with time_machine.travel(datetime.fromtimestamp(T, UTC), tick=False):
        for key in keys:
            assert standardwebhooks.Webhook(key).verify(body, headers) == json.loads(body)
        for key, changed in [(webhook_secrets.make(), body), (keys[0], body + " ")]:
            with pytest.raises(standardwebhooks.WebhookVerificationError):
                standardwebhooks.Webhook(key).verify(changed, headers)


# The page ----------------------------------------------------------------------------------------


def test_the_page_shows_the_samples_that_are_tested_here_and_hands_them_out(client):
    page = client.get(reverse("api:webhooks_guide"))
    assert page.status_code == 200
    for sample in verifier_samples.SAMPLES:
        file = client.get(reverse("api:verifier", args=[sample.file]))
        assert file.content.decode() == sample.code
        assert file["Content-Disposition"] == f'attachment; filename="{sample.file}"'
        assert sample.file in page.text
        assert escape(sample.code) in page.text
    assert {one.code for one in verifier_samples.SAMPLES} == {
        verifier_samples.PYTHON,
        verifier_samples.JAVASCRIPT,
    }
    assert client.get(reverse("api:verifier", args=["verify.php"])).status_code == 404


def test_the_page_gives_a_vector_that_holds(client):
    shown = verifier_samples.VECTOR
    assert (shown.secret, shown.time, shown.body) == VECTORS["V1"][:3]
    assert shown.v1 == VECTORS["V1"][4]
    assert shown.v1 in client.get(reverse("api:webhooks_guide")).text


def test_the_page_says_when_we_stop_sending_for_a_while(client):
    said = " ".join(client.get(reverse("api:webhooks_guide")).text.split())
    assert "After 5 attempts in a row without a response or with 429 or 5xx" in said
    assert "for about 30 seconds, and then a single delivery" in said
    assert "the pause doubles, up to 300 seconds" in said


def test_the_page_names_the_resources_whose_events_have_other_fields(client):
    read: dict[str, set[str]] = {}
    for row in OPERATIONS:
        fields = row.view.serializer_class().fields if row.name.endswith(".read") else {}
        if isinstance(fields.get("object"), ObjectField):
            read[fields["object"].word] = set(fields)
    samples = [kind.sample.model_dump() for kind in public_kinds.every()]
    other = {
        sample["object"]
        for sample in samples
        if sample.keys() - {"previous"} != read.get(sample["object"])
    } & read.keys()

    said = client.get(reverse("api:webhooks_guide")).text
    named = {"Checkout sessions", "Payroll runs", "Webhook endpoints"}
    assert other == {one.lower().removesuffix("s").replace(" ", "_") for one in named}
    assert all(one in said for one in named)
