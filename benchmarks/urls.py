"""The API, and the views that it is compared with."""

from functools import cache

import orjson
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from knox.auth import TokenAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_api_key.permissions import HasAPIKey

from api import idempotency
from api.gateway.operations import Call
from api.idempotency import IdempotencyClaim
from api.v1.operations import TABLE
from api.v1.urls import urlpatterns as api_patterns
from api.versioning import LATEST
from apikeys.models import ApiKey
from benchmarks.answer import ANSWER

_CREATE = next(row for row in TABLE.operations if row.name == "payouts.create")


@csrf_exempt
def transaction(request: HttpRequest) -> HttpResponseBase:
    """Claim, change, event, audit entry and stored answer, as the API has them; no more."""
    call = _call(request.headers["Authorization"].partition(" ")[2].partition(":")[0], request.body)
    once = request.headers["Idempotency-Key"]
    claim = IdempotencyClaim(call.business.pk, "sandbox", once, _CREATE, b"", "req_" + "0" * 26)
    answer = idempotency.perform(claim, lambda: None, lambda: _CREATE.function(call), None)
    return JsonResponse(answer.body, status=201)


@cache
def _call(key_id: str, body: bytes) -> Call:
    """Read the key and validate the one body once: what is compared is the transaction."""
    key = ApiKey.objects.select_related("grant__business").get(public_id=key_id)
    call = Call("sandbox", _CREATE, key.grant, key, body=orjson.loads(body), version=LATEST)
    _CREATE.validate(call, "")
    return call


class Peer(APIView):
    """What the peers stand before, with the renderer that costs least."""

    renderer_classes = [JSONRenderer]

    def get(self, request: Request) -> Response:
        return Response(ANSWER)


class FrameworkPeer(Peer):
    """REST framework alone: no one is asked who they are, and one row is read."""

    authentication_classes = []
    permission_classes: list[type[BasePermission]] = []

    def get(self, request: Request) -> Response:
        return Response(ANSWER | {"name": ApiKey.objects.values_list("name", flat=True).first()})


class ApiKeyPeer(Peer):
    """djangorestframework-api-key."""

    authentication_classes = []
    permission_classes: list[type[BasePermission]] = [HasAPIKey]


class KnoxPeer(Peer):
    """django-rest-knox."""

    authentication_classes = [TokenAuthentication]
    permission_classes: list[type[BasePermission]] = [IsAuthenticated]


urlpatterns = [
    path("transaction", transaction),
    path("drf", FrameworkPeer.as_view()),
    path("api-key", ApiKeyPeer.as_view()),
    path("knox", KnoxPeer.as_view()),
    *api_patterns,
]
