"""GET /me: what the API knows about the calling key."""

from api.serializers import answer_of
from api.v1.me import ApiContextSerializer
from apikeys.models import ApiKey
from tests.apikeys import world

ME = "/sandbox/v1/me"


def test_it_tells_the_key_about_itself(api):
    grant = world.a_grant()
    key, plain = world.a_key(grant, scopes=("balances:read", "webhooks:read"))

    reply = api.get("/sandbox/v1/me", plain)

    assert reply.status == 200, reply.body
    me = reply.json
    assert me["object"] == "api_context"
    assert me["business"]["id"] == grant.business.public_id
    assert (grant.tier, me["business"]["risk_tier"]) == ("LOW", None)
    assert me["key"]["id"] == key.public_id
    assert me["key"]["scopes"] == ["balances:read", "webhooks:read"]
    assert me["products"] == ["balances", "cards", "payouts", "webhooks"]
    assert me["client_ip"] == api.ip
    assert me["request_id"] == reply.headers["X-Request-Id"]


def test_it_tells_each_caller_of_a_key_what_is_so_now(api):
    key, plain = world.a_key()
    assert api.get(ME, plain).json["client_ip"] == api.ip
    assert api.get(ME, plain, REMOTE_ADDR="10.9.9.9").json["client_ip"] == "10.9.9.9"

    ApiKey.objects.filter(pk=key.pk).update(name="Renamed")
    assert api.get(ME, plain).json["key"]["name"] == "Renamed"


def test_its_members_stand_as_they_are_documented(api):
    _, plain = world.a_key()
    documented = [*answer_of(ApiContextSerializer)().fields]
    assert [*api.get(ME, plain).json] == documented
