"""GET /me: what the gateway knows about the calling key."""

from tests.apikeys import world


def test_it_tells_the_key_about_itself(api):
    grant = world.a_grant()
    key, plain = world.a_key(grant, scopes=("balances:read", "webhooks:read"))

    reply = api.get("/sandbox/v1/me", plain)

    assert reply.status == 200, reply.body
    me = reply.json
    assert me["object"] == "api_context"
    assert me["business"]["id"] == grant.business.public_id
    assert me["key"]["id"] == key.public_id
    assert me["key"]["scopes"] == ["balances:read", "webhooks:read"]
    assert me["products"] == ["balances", "cards", "payouts", "webhooks"]
    assert me["client_ip"] == api.ip
    assert me["request_id"] == reply.headers["X-Request-Id"]


def test_balances(api):
    _, plain = world.a_key()

    reply = api.get("/sandbox/v1/balances", plain)

    assert reply.status == 200, reply.body
    assert reply.json["data"][0]["currency"] == "NGN"
