"""The views that ours is compared with. All answer the same context, but for the transaction."""

from functools import cache

import orjson
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from knox.auth import TokenAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_api_key.permissions import HasAPIKey

from api.gateway import idempotency, records
from api.gateway.calls import ApiAnswer, Call
from api.gateway.database import Database
from api.gateway.versions import LATEST
from api.v1.operations import TABLE
from benchmarks.answer import ANSWER

_CREATE = next(row for row in TABLE.operations if row.name == "payouts.create")
_database = Database()


def bare(request: HttpRequest) -> HttpResponseBase:
    """Answer at once: what the framework itself costs."""
    return JsonResponse(ANSWER)


def transaction(request: HttpRequest) -> HttpResponseBase:
    """Claim, change, event, audit entry and stored answer, as the gateway has them; no more."""
    call = Call(request.META, _database, "req_" + "0" * 26)
    call.environment, call.path, call.ip = "sandbox", _CREATE.path, "127.0.0.1"
    call.operation, call.version, call.names = _CREATE, LATEST, {}
    call.caller = call.record = _record(
        request.headers["Authorization"].partition(" ")[2].partition(":")[0]
    )
    call.idempotency_key = request.headers["Idempotency-Key"]
    call.canonical = request.body
    call.body, call.is_validated = _validated(call, request.body), True
    answer = idempotency.perform(call)
    assert isinstance(answer, ApiAnswer)
    return JsonResponse(answer.body, status=201)


@cache
def _record(key_id: str) -> records.KeyRecord:
    found = records.read(_database, key_id)
    assert found
    return found


_bodies: dict[bytes, dict[str, object]] = {}


def _validated(call: Call, raw: bytes) -> dict[str, object]:
    """Validate the one body once: what is compared is the transaction."""
    if raw not in _bodies:
        call.body = orjson.loads(raw)
        _CREATE.validate(call)
        _bodies[raw] = call.body
    return _bodies[raw]


class Peer(APIView):
    """What the peers stand before, with the renderer that costs least."""

    renderer_classes = [JSONRenderer]

    def get(self, request: Request) -> Response:
        return Response(ANSWER)


class FrameworkPeer(Peer):
    """REST framework alone: nobody is asked who they are."""

    authentication_classes = []
    permission_classes: list[type[BasePermission]] = []


class ApiKeyPeer(Peer):
    """djangorestframework-api-key."""

    authentication_classes = []
    permission_classes: list[type[BasePermission]] = [HasAPIKey]


class KnoxPeer(Peer):
    """django-rest-knox."""

    authentication_classes = [TokenAuthentication]
    permission_classes: list[type[BasePermission]] = [IsAuthenticated]


urlpatterns = [
    path("bare", bare),
    path("default", bare),
    path("transaction", transaction),
    path("drf", FrameworkPeer.as_view()),
    path("api-key", ApiKeyPeer.as_view()),
    path("knox", KnoxPeer.as_view()),
]
