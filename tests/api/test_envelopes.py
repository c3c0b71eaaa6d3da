"""The envelopes of each API family: responses, replays and every error."""

import pytest

from api.fields import StrictSerializer, StrictText
from api.problems import ApiProblem
from api.renderers import RefusedResult, ResultRenderer, succeeded
from api.viewsets import ResourceViewSet, operation
from tests.api.calling import Caller, Reply, serving
from tests.api.test_contract import wrong_members
from tests.apikeys import world

ROOT = "/sandbox/v1"
JSON = {"CONTENT_TYPE": "application/json"}


class Named(StrictSerializer):
    name = StrictText(max_length=20)


class Greetings(ResourceViewSet):
    product = resource = "cards"
    needs_provider = False
    codes = ("NO_PROVIDER_ENABLED",)
    renderer_classes = (ResultRenderer,)

    @operation(body=Named, answer=RefusedResult, status=201)
    def create(self, request):
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        name = serializer.validated_data["name"]
        if name == "nobody":
            raise ApiProblem("NO_PROVIDER_ENABLED", product="cards", reason="not_connected")
        if name == "zero":
            raise RuntimeError("a secret detail")
        return self.respond(succeeded("Operation Successful", [{"greeted": name}]))


@pytest.fixture
def api():
    with serving({"greetings": Greetings}) as api:
        yield api


@pytest.fixture
def plain():
    return world.a_key(scopes=("cards:write",))[1]


def greeted(api: Caller, plain: str = "", body=b'{"name": "Ada"}', **more) -> Reply:
    return api.call("POST", f"{ROOT}/greetings", plain, body=body, **JSON | more)


def test_an_answer_names_its_request_in_the_header_alone(api, plain):
    reply = greeted(api, plain)

    assert reply.status == 201
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["X-Request-Id"].startswith("req_")
    assert reply.json | {"meta": None} == {
        "success": True,
        "message": "Operation Successful",
        "data": [{"greeted": "Ada"}],
        "meta": None,
    }
    assert reply.json["meta"].keys() == {"timestamp"}


def test_a_key_is_honoured_and_the_replay_tells_the_first_time(api, plain):
    key = {"HTTP_IDEMPOTENCY_KEY": "greeting-0001"}
    first, again = (greeted(api, plain, **key) for _ in range(2))

    assert again.json == first.json
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers["Original-Request-Id"] == first.headers["X-Request-Id"]
    assert again.headers["X-Request-Id"] != first.headers["X-Request-Id"]
    assert greeted(api, plain, b'{"name": "Obi"}', **key).code == "IDEMPOTENCY_KEY_REUSED"


def of_another_scope(api: Caller, plain: str) -> Reply:
    return greeted(api, world.a_key()[1])


REFUSALS = {
    ("UNAUTHENTICATED", 401): lambda api, plain: greeted(api),
    ("FORBIDDEN_SCOPE", 403): of_another_scope,
    ("NOT_FOUND", 405): lambda api, plain: api.get(f"{ROOT}/greetings", plain),
    ("VALIDATION_ERROR", 400): lambda api, plain: greeted(api, plain, b"{"),
    ("VALIDATION_ERROR", 422): lambda api, plain: greeted(api, plain, b"{}"),
    ("NO_PROVIDER_ENABLED", 422): lambda api, plain: greeted(api, plain, b'{"name": "nobody"}'),
    ("INTERNAL_ERROR", 500): lambda api, plain: greeted(api, plain, b'{"name": "zero"}'),
}


@pytest.mark.parametrize(("code", "status"), REFUSALS, ids=str)
def test_every_refusal_names_its_code_and_its_request_in_meta(api, plain, code, status):
    reply = REFUSALS[code, status](api, plain)

    said = reply.json
    assert (reply.status, said["meta"]["code"]) == (status, code)
    assert reply.headers["Content-Type"] == "application/json"
    assert said["meta"]["request_id"] == reply.headers["X-Request-Id"]
    assert (said["success"], said["data"]) == (False, None)
    assert said["message"].endswith(".")
    assert "secret detail" not in said["message"]
    described = {"success", "message", "data", "meta"}
    assert said.keys() == described
    more = said["meta"].keys() - {"timestamp", "code", "request_id"}
    assert not more & described
    assert list(wrong_members(RefusedResult(), said | {"meta": without(said["meta"], more)})) == []


def without(meta, names):
    """Return `meta` without these fields, but always with `errors`."""
    return {name: value for name, value in meta.items() if name not in names - {"errors"}}


def test_a_mistake_is_named_in_meta(api, plain):
    reply = greeted(api, plain, b'{"name": 7}')

    (fault,) = reply.json["meta"]["errors"]
    assert (fault["pointer"], fault["code"]) == ("/name", "wrong_type")


def test_too_many_calls_are_refused_in_the_envelope(unrefilled_api, api, plain):
    replies = [greeted(api, plain) for _ in range(21)]

    assert replies[-1].json["meta"]["violated-policies"] == ["endpoint"]
    assert "Retry-After" in replies[-1].headers


def test_where_nothing_is_the_versioned_family_answers(api, plain):
    reply = api.get(f"{ROOT}/nothing", plain)

    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json["code"] == "NOT_FOUND"
