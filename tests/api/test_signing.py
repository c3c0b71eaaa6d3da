"""Signed calls: what is signed, how old it may be, and that it is accepted once."""

import json
import subprocess
import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from api import retention
from api.models import Nonce
from api.payments.models import Payout
from api.reference import signing_samples
from apikeys.keys import keys, rotation
from apikeys.models import ApiKey, Grant
from console.core import clock
from tests import factories
from tests.api import signing
from tests.api.calling import Caller
from tests.api.paying import PAYOUTS, a_payer, body_of, pay
from tests.api.table.test_samples import NODE
from tests.apikeys import world
from tests.waiting import at_once

ME = "/sandbox/v1/me"


@pytest.fixture
def plain():
    """The key of a business that requires signatures."""
    grant = world.a_grant()
    factories.change(Grant.objects.filter(pk=grant.pk), requires_signatures=True)
    return world.a_key(grant)[1]


def test_a_signed_call_is_served_and_one_without_a_signature_is_not(api, plain):
    assert signing.get(api, plain, ME).status == 200
    assert signing.get(api, plain, "/sandbox/v1/balances", "limit=5&currency=NGN").status == 200

    for empty in ({}, {"HTTP_SERVICE_SIGNATURE": ""}):
        reply = api.get(ME, plain, **empty)
        assert (reply.status, reply.code) == (401, "SIGNATURE_INVALID")
        assert reply.json["reason"] == "missing"


def test_a_call_without_one_is_served_where_none_is_required_and_writes_nothing(api):
    _, plain = world.a_key()

    assert api.get(ME, plain).status == 200
    assert not Nonce.objects.exists()


def test_one_that_is_sent_is_checked_also_where_none_is_required(api):
    _, plain = world.a_key()

    assert signing.get(api, plain, ME).status == 200
    assert api.get(ME, plain, HTTP_SERVICE_SIGNATURE="t=1").code == "SIGNATURE_INVALID"


GOOD = f"t=1795000000,n=abcdefgh,v1={'a' * 64}"


def test_a_header_of_another_shape_is_refused(api, plain, unlimited):
    for header in [
        "x",
        GOOD.replace("n=abcdefgh", "n=short"),
        GOOD.replace("n=abcdefgh", f"n={'x' * 65}"),
        GOOD.replace("n=abcdefgh", "n=with spaces"),
        GOOD.replace("t=", "t=+"),
        GOOD.replace("t=", "t=٣"),
        GOOD.upper(),
        GOOD + "a",
        GOOD + "\n",
        f"{GOOD},{GOOD}",
    ]:
        reply = api.get(ME, plain, HTTP_SERVICE_SIGNATURE=header)

        assert (reply.status, reply.code) == (401, "SIGNATURE_INVALID")
        assert reply.json["reason"] == "unreadable"


def test_every_part_of_a_call_is_signed(api):
    plain = a_payer()
    body = json.dumps(body_of()).encode()

    def send(key=plain, **changed):
        parts = {"method": "POST", "address": PAYOUTS, "body": body} | changed
        signed = signing.signature(key, **parts)
        return pay(api, plain, "payout-0001", HTTP_SERVICE_SIGNATURE=signed)

    for changed in (
        {"method": "GET"},
        {"address": f"{PAYOUTS}?"},
        {"address": f"{PAYOUTS}?limit=1"},
        {"address": "/v1/payouts"},
        {"body": body + b" "},
        {"body": b""},
        {"key": world.a_key()[1]},
    ):
        reply = send(**changed)
        assert (reply.code, reply.json["reason"]) == ("SIGNATURE_INVALID", "wrong"), changed
    assert not Payout.objects.exists()
    assert not Nonce.objects.exists()
    assert send().status == 201


def test_the_address_is_signed_as_it_was_sent(api, plain):
    path = "/sandbox/v1/m%65"
    signed = signing.signature(plain, "GET", path)

    reply = api.get(ME, plain, HTTP_SERVICE_SIGNATURE=signed, RAW_URI=path)

    assert reply.status == 200


@pytest.mark.parametrize(("off", "reason"), [(-301, "too_old"), (302, "too_early")])
def test_a_clock_that_is_too_far_off_is_refused(api, plain, off, reason):
    reply = signing.get(api, plain, ME, at=time.time() + off)

    assert (reply.status, reply.code) == (401, "REPLAY_DETECTED")
    assert reply.json["reason"] == reason
    assert not Nonce.objects.exists()


@pytest.mark.parametrize("off", [-295, 295])
def test_a_clock_that_is_off_by_less_is_taken(api, plain, off):
    with time_machine.travel(clock.now(), tick=False):
        assert signing.get(api, plain, ME, at=time.time() + off).status == 200


def test_a_nonce_opens_once(api, plain):
    signed = signing.signature(plain, "GET", ME, nonce="the-same-one")
    first, second = (api.get(ME, plain, HTTP_SERVICE_SIGNATURE=signed) for _ in range(2))

    assert (first.status, second.status, second.code) == (200, 401, "REPLAY_DETECTED")
    assert second.json["reason"] == "nonce_used"
    # Signing it again at another time does not make it a new nonce.
    again = signing.get(api, plain, ME, nonce="the-same-one", at=time.time() - 5)
    assert again.code == "REPLAY_DETECTED"


def test_a_nonce_is_of_one_key(api, plain):
    _, other = world.a_key()

    assert signing.get(api, plain, ME, nonce="the-same-one").status == 200
    assert signing.get(api, other, ME, nonce="the-same-one").status == 200


def test_of_many_at_once_one_is_served(unlimited, plain):
    signed = signing.signature(plain, "GET", ME)

    def call(_: int) -> str:
        return Caller().get(ME, plain, HTTP_SERVICE_SIGNATURE=signed).code

    assert sorted(at_once(16, call)) == ["", *["REPLAY_DETECTED"] * 15]


def test_a_payout_that_is_sent_again_is_signed_again(api):
    plain = a_payer()
    body = json.dumps(body_of()).encode()

    def send(signed):
        return pay(api, plain, "payout-0001", HTTP_SERVICE_SIGNATURE=signed)

    once = signing.signature(plain, "POST", PAYOUTS, body)
    assert send(once).status == 201
    assert send(once).code == "REPLAY_DETECTED"
    again = send(signing.signature(plain, "POST", PAYOUTS, body))
    assert (again.status, again.headers["Idempotent-Replayed"]) == (201, "true")


def test_it_comes_after_the_key_and_before_everything_else(api):
    grant = world.a_grant(networks=("192.0.2.0/24",))
    factories.change(Grant.objects.filter(pk=grant.pk), requires_signatures=True)
    key, plain = world.a_key(grant, scopes=("webhooks:read",))

    # Suspended, wrong address, wrong environment, missing scope: the signature is checked first.
    business = grant.business
    factories.change(type(business).objects.filter(pk=business.pk), status="suspended")
    reply = api.get("/v1/me", plain)
    assert reply.code == "SIGNATURE_INVALID"
    assert signing.get(api, plain, "/v1/me", at=time.time() - 400).code == "REPLAY_DETECTED"
    assert signing.get(api, plain, "/v1/me").code == "COMPLIANCE_BLOCKED"
    factories.change(type(business).objects.filter(pk=business.pk), status="active")
    keys.revoke(key, reason="Replaced.", by=factories.owner_of(business))
    reply = signing.get(api, plain, "/v1/me")
    assert reply.code == "CREDENTIAL_EXPIRED"


def test_the_old_secret_of_a_rotated_key_signs_for_itself(api, plain):
    key = ApiKey.objects.get(public_id=plain.partition(":")[0])
    _, minted = rotation.rotate(key, grace=timedelta(hours=1), by=factories.owner_of(key.business))

    assert signing.get(api, plain, ME).status == 200
    assert signing.get(api, minted.plain, ME).status == 200
    crossed = signing.signature(plain, "GET", ME)
    assert api.get(ME, minted.plain, HTTP_SERVICE_SIGNATURE=crossed).code == "SIGNATURE_INVALID"


def test_a_call_beyond_the_limits_stores_no_nonce(unrefilled_api, plain):
    answers = [signing.get(unrefilled_api, plain, ME).status for _ in range(60)]

    assert 429 in answers
    assert Nonce.objects.count() == answers.count(200)


def test_nonces_are_forgotten_once_nothing_can_be_signed_with_them(api, plain):
    signing.get(api, plain, ME, nonce="old-nonce")
    with time_machine.travel(clock.now() + timedelta(minutes=31)):
        signing.get(api, plain, ME, nonce="new-nonce")
        retention.forget_old_nonces()

    assert [one.nonce for one in Nonce.objects.all()] == ["new-nonce"]


# The page's samples ------------------------------------------------------------------------------


def signed_by_python(*parts):
    made: dict[str, Any] = {}
    exec(signing_samples.PYTHON, made)
    key, method, address, body = parts
    return made["sign"](key, method, address, body.encode())


def signed_by_javascript(*parts):
    said = f"{signing_samples.JAVASCRIPT}\nconsole.log(sign(...{json.dumps(parts)}));"
    done = subprocess.run([NODE, "-e", said], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("sign", [signed_by_python, signed_by_javascript])
def test_a_sample_of_the_page_signs_calls_that_are_served(api, sign):
    plain, body = a_payer(), json.dumps(body_of(reference="Müller"), ensure_ascii=False)
    query = "limit=1&currency=NGN"

    signed = sign(plain, "POST", PAYOUTS, body)
    more = {"CONTENT_TYPE": "application/json", "HTTP_IDEMPOTENCY_KEY": "payout-0001"}
    reply = api.call(
        "POST", PAYOUTS, plain, body=body.encode(), HTTP_SERVICE_SIGNATURE=signed, **more
    )
    assert reply.status == 201
    signed = sign(plain, "GET", f"/sandbox/v1/balances?{query}", "")
    reply = api.get("/sandbox/v1/balances", plain, query, HTTP_SERVICE_SIGNATURE=signed)
    assert reply.status == 200


def test_the_page_shows_the_samples_and_every_refusal(client):
    page = client.get(reverse("api:signing")).text

    assert "def sign(api_key" in page
    assert "function sign(apiKey" in page
    for reason in ("missing", "unreadable", "wrong", "too_old", "too_early", "nonce_used"):
        assert f">{reason}<" in page
