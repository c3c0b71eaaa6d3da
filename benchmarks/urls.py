"""The API, and the views that it is compared with."""

from functools import cache
from types import SimpleNamespace

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
from api.idempotency import IdempotencyClaim
from api.v1.payouts import Payouts
from api.v1.router import OPERATIONS
from api.v1.urls import urlpatterns as api_patterns
from apikeys.models import ApiKey
from benchmarks.answer import ANSWER

_CREATE = next(row for row in OPERATIONS if row.name == "payouts.create")


@csrf_exempt
def transaction(request: HttpRequest) -> HttpResponseBase:
    """Claim, change, event, audit entry and stored answer, as the API has them; no more."""
    view = _view(request.headers["Authorization"].partition(" ")[2].partition(":")[0], request.body)
    view.idempotency_key = request.headers["Idempotency-Key"]
    claim = IdempotencyClaim(view, b"")
    action = Payouts.create.__wrapped__
    response = idempotency.perform(claim, lambda: None, lambda: action(view, request), None)
    return JsonResponse(response.data, status=201)


@cache
def _view(key_id: str, body: bytes) -> Payouts:
    """Read the key and validate the one body once: what is compared is the transaction."""
    key = ApiKey.objects.select_related("grant__business").get(public_id=key_id)
    view = Payouts(
        environment="sandbox", operation=_CREATE, grant=key.grant, kwargs={},
        request=SimpleNamespace(auth=key), request_id="req_" + "0" * 26,
    )  # fmt: skip
    view.validate("", orjson.loads(body))
    return view


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
