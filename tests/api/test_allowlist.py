"""The allowlist in the API: its place in the order of checks, and the address in the error."""

import pytest

from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant
from console.accounts.models import Business
from tests import factories
from tests.apikeys import world


def test_an_address_outside_the_list_is_told_what_we_saw(api):
    grant = world.a_grant(networks=("192.0.2.0/24",))
    _, plain = world.a_key(grant)

    reply = api.get("/sandbox/v1/me", plain)

    assert (reply.status, reply.code) == (403, "IP_NOT_ALLOWED")
    assert reply.json["client_ip"] == api.ip
    assert reply.json["reason"] == "business"
    assert api.ip in reply.json["detail"]


def test_both_lists_must_hold(api):
    grant = world.a_grant(networks=(f"{api.ip}/32", "2a01:4f8::/32"))
    key, plain = world.a_key(grant)
    assert api.get("/sandbox/v1/me", plain).status == 200
    assert api.get("/sandbox/v1/me", plain, REMOTE_ADDR="2a01:4f8::7").status == 200
    assert api.get("/sandbox/v1/me", plain, REMOTE_ADDR=f"::ffff:{api.ip}").status == 200

    factories.change(ApiKey.objects.filter(pk=key.pk), networks=["2a01:4f8::7/128"])
    assert api.get("/sandbox/v1/me", plain).json["reason"] == "key"
    reply = api.get("/sandbox/v1/me", plain, REMOTE_ADDR="2a01:4f8::7")
    assert reply.json["key"]["allowlist"] == {
        "business": [f"{api.ip}/32", "2a01:4f8::/32"],
        "key": ["2a01:4f8::7/128"],
        "matched": "2a01:4f8::7/128",
    }


def test_live_needs_a_list(api):
    grant = world.a_grant(environment=Environment.LIVE)
    _, plain = world.a_key(grant)
    assert api.get("/v1/me", plain).status == 200
    factories.change(Grant.objects.filter(pk=grant.pk), networks=[])

    reply = api.get("/v1/me", plain)

    assert (reply.code, reply.json["reason"]) == ("IP_NOT_ALLOWED", "missing")


@pytest.mark.parametrize("address", ["", "unknown", "fe80::1%eth0"])
def test_an_address_that_cannot_be_read_is_refused_by_any_list(api, address):
    _, plain = world.a_key(world.a_grant(networks=("0.0.0.0/1", "128.0.0.0/1", "::/1")))
    assert api.get("/sandbox/v1/me", plain, REMOTE_ADDR=address).code == "IP_NOT_ALLOWED"


def test_it_stands_after_suspension_and_before_the_environment(api):
    grant = world.a_grant(networks=("192.0.2.0/24",))
    _, plain = world.a_key(grant)
    assert api.get("/v1/me", plain).code == "IP_NOT_ALLOWED"

    factories.change(Business.objects.filter(pk=grant.business_id), status="suspended")
    assert api.get("/sandbox/v1/me", plain).code == "COMPLIANCE_BLOCKED"


def test_a_proxy_that_we_do_not_know_cannot_name_another_address(api):
    _, plain = world.a_key(world.a_grant(networks=("192.0.2.0/24",)))
    reply = api.get("/sandbox/v1/me", plain, HTTP_X_FORWARDED_FOR="192.0.2.1")
    assert (reply.code, reply.json["client_ip"]) == ("IP_NOT_ALLOWED", api.ip)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:22272", "192.0.2.1"),
        ("[2001:db8::7]:443", "2001:db8::7"),
        ("198.51.100.9, [2001:db8::7]", "2001:db8::7"),
    ],
)
def test_a_trusted_proxy_names_the_client_with_or_without_a_port(api, settings, said, found):
    settings.TRUSTED_PROXIES = [api.ip]
    _, plain = world.a_key()
    reply = api.get("/sandbox/v1/me", plain, HTTP_X_FORWARDED_FOR=said)
    assert reply.json["client_ip"] == found


@pytest.mark.parametrize(
    "said", ["unknown", "192.0.2.1, x", "1.2.3.4:5:6", ",", "192.0.2.1,", "", " "]
)
def test_a_malformed_or_empty_list_never_makes_the_proxy_the_client(api, settings, said):
    settings.TRUSTED_PROXIES = [api.ip]
    _, plain = world.a_key(world.a_grant(networks=(f"{api.ip}/32",)))
    reply = api.get("/sandbox/v1/me", plain, HTTP_X_FORWARDED_FOR=said)
    assert (reply.code, reply.json["client_ip"]) == ("IP_NOT_ALLOWED", "")
