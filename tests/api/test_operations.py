"""What the gateway adds for operations with a body or money, shown by test operations."""

import json

import pytest
from rest_framework import serializers
from rest_framework.decorators import action

from api.fields import StrictSerializer, StrictText
from api.viewsets import ResourceViewSet, operation
from apikeys.lifecycle import Environment
from console.core.refusals import Blocker, ComplianceBlocked, NotAllowed, NotReady
from tests.api.calling import Caller, serving
from tests.apikeys import world

KEY = {"HTTP_IDEMPOTENCY_KEY": "order-0000001"}
JSON = {"CONTENT_TYPE": "application/json"}


class Label(StrictSerializer):
    label = StrictText(required=False, allow_blank=True, max_length=40)  # type: ignore[assignment]


class Echo(serializers.Serializer[object]):
    body = serializers.DictField()
    names = serializers.DictField()
    key = serializers.CharField()


class Ours(ResourceViewSet):
    product = resource = "cards"
    scope = "cards"
    needs_provider = False
    serializer_class = Echo

    def echo(self):
        names = {"id": self.kwargs["id"]} if "id" in self.kwargs else {}
        serializer = self.get_serializer(data=self.request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        return self.respond({"body": body, "names": names, "key": self.claim.key})


COUNTED: list[str] = []


class Cards(Ours):
    @operation(body=Label, status=201, financial=True)
    def create(self, request):
        return self.echo()

    @operation(body=Label)
    def partial_update(self, request):
        return self.echo()

    @action(detail=True, methods=["post"])
    @operation()
    def freeze(self, request):
        COUNTED.append(self.kwargs["id"])
        return self.respond({"times": len(COUNTED)})


class CardHelpers(Ours):
    @action(detail=True, methods=["post"])
    @operation(body=Label)
    def expire(self, request):
        return self.echo()


def raising(exception):
    class Raising(Ours):
        scope = "balances"

        @operation()
        def list(self, request):
            raise exception

    return Raising


VIEWS = {
    "cards": Cards,
    "test-helpers/cards": CardHelpers,
    "broken": raising(RuntimeError("a secret detail")),
    "unready": raising(NotReady("Not yet.", blockers=[Blocker("grant", "Finish the check.")])),
    "forbidden": raising(NotAllowed("You may not.")),
    "sanctioned": raising(ComplianceBlocked("Details that stay inside.")),
}


@pytest.fixture
def api():
    with serving(VIEWS) as api:
        yield api


@pytest.fixture
def plain():
    return world.a_key(scopes=("cards:write", "balances:read"))[1]


def post(api: Caller, plain: str, body=b"{}", path="/sandbox/v1/cards", method="POST", **more):
    return api.call(method, path, plain, body=body, **{**JSON, **KEY, **more})


def test_a_body_and_a_key_reach_the_operation(api, plain):
    reply = post(api, plain, b'{"label": "Fuel"}')

    assert reply.status == 201
    assert reply.json["body"] == {"label": "Fuel"}
    assert reply.json["key"] == "order-0000001"


def test_names_in_a_path_reach_the_operation(api, plain):
    reply = post(api, plain, path="/sandbox/v1/cards/crd_1", method="PATCH")

    assert reply.json["names"] == {"id": "crd_1"}
    assert api.call("PATCH", "/sandbox/v1/cards/", plain).status == 404


def test_a_test_helper_is_served_in_the_sandbox_alone(api, plain):
    live = world.a_key(world.a_grant(environment=Environment.LIVE), scopes=("cards:write",))[1]
    helper = "/test-helpers/cards/crd_1/expire"

    assert post(api, plain, path=f"/sandbox/v1{helper}").status == 200
    for root, key in (("/v1", live), ("/v1", plain), ("/sandbox/v1", live)):
        reply = post(api, key, path=root + helper)
        assert (reply.status, reply.code) == (403, "ENVIRONMENT_MISMATCH")
    # Other operations are served in both environments.
    assert post(api, live, path="/v1/cards").status == 201


def test_a_key_is_honoured_where_a_change_takes_no_body(api, plain):
    def freeze(card):
        return api.call("POST", f"/sandbox/v1/cards/{card}/freeze", plain, **KEY)

    first, again, other = freeze("crd_1"), freeze("crd_1"), freeze("crd_2")

    assert (first.status, again.status) == (200, 200), first.body
    assert first.json["times"] == again.json["times"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert other.code == "IDEMPOTENCY_KEY_REUSED"
    assert COUNTED.count("crd_1") == 1


@pytest.mark.parametrize(
    "key",
    [
        *("short", "x" * 121, "tab\tinside", "ünïcode-key", '"        "', " " * 9, '"   ab   "'),
        *(
            '"\t\t\t\t\t\t\t\t"',
            "\u00a0" * 8,
            '"\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0"',
            '""""""',
            '"1234567"',
        ),
    ],
)
def test_a_key_of_the_wrong_shape_is_refused(api, plain, key):
    reply = post(api, plain, HTTP_IDEMPOTENCY_KEY=key)

    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_only_json_is_read(api, plain, kind):
    reply = post(api, plain, CONTENT_TYPE=kind)

    assert (reply.status, reply.code) == (415, "VALIDATION_ERROR")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b"null",
        b'"CANARY"',
        b'{"CANARY": CANARY}',
        b'{"CANARY": 1, "CANARY": 1}',
        b"\xff\xfe",
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": "\\ud800"}',
        b'{"\\udfff": 1}',
        '{"a": 1}'.encode("utf-16"),
        b"[" * 100_000,
        json.dumps({"a": [[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]}).encode(),
    ],
)
def test_json_that_cannot_be_read_is_refused(api, plain, body):
    reply = post(api, plain, body)

    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["errors"][0]["pointer"] == "/body"
    assert b"CANARY" not in reply.body


def test_our_own_fault_says_nothing_of_itself(api, plain):
    reply = api.get("/sandbox/v1/broken", plain)

    assert (reply.status, reply.code) == (500, "INTERNAL_ERROR")
    assert b"secret detail" not in reply.body
    assert reply.json["retryable"] is True


def test_a_refusal_of_the_domain_becomes_one_of_the_codes(api, plain):
    unready = api.get("/sandbox/v1/unready", plain)
    assert (unready.status, unready.code) == (422, "VALIDATION_ERROR")
    assert unready.json["errors"] == [
        {"pointer": "", "code": "grant", "detail": "Finish the check."}
    ]
    assert api.get("/sandbox/v1/forbidden", plain).code == "FORBIDDEN_SCOPE"

    sanctioned = api.get("/sandbox/v1/sanctioned", plain)
    assert (sanctioned.status, sanctioned.code) == (403, "COMPLIANCE_BLOCKED")
    assert b"stay inside" not in sanctioned.body


def test_money_costs_its_own_limit(unrefilled_api, api, plain):
    replies = [post(api, plain) for _ in range(11)]

    assert [reply.status for reply in replies] == [201] * 10 + [429]
    assert replies[-1].json["violated-policies"] == ["financial"]
