"""URLs of the site, and the views that its API is compared with."""

import json
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.db import connection, transaction
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from knox.auth import TokenAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_api_key.permissions import HasAPIKey

from api.models import IdempotencyRecord
from api.payments.disbursements import PAYOUTS
from api.payments.models import Payout
from apikeys.models import ApiKey
from console.accounts.actors import MachineActor
from console.core import clock
from tests.api.asking import BY_NAME

# The response of GET /me, which the peers return too.
ME = dict(BY_NAME["me.read"].example.answer)


@csrf_exempt
@login_not_required
@transaction.atomic
def payout(request: HttpRequest) -> JsonResponse:
    """Claim, change, event, audit entry and stored response, as in the API, and nothing else."""
    once = request.headers["Idempotency-Key"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [hash(once)])
    key_id = request.headers["Authorization"].removeprefix("Bearer ").partition(":")[0]
    key = ApiKey.objects.select_related("grant__business").get(public_id=key_id)
    sent = json.loads(request.body)
    made = PAYOUTS.create(
        Payout(
            business=key.grant.business,
            environment="sandbox",
            amount=1,
            currency=sent["currency"],
            bank_account=sent["bank_account"],
        ),
        tries=0,
        by=MachineActor(key.name, key.public_id),
    )
    answer = {"id": made.public_id, "status": made.status, **sent}
    IdempotencyRecord.objects.create(
        business=key.grant.business, environment="sandbox", key=once, operation="payouts.create",
        fingerprint=b"", request_id="req_1", status=201, answer=json.dumps(answer).encode(),
        created_at=clock.now(),
    )  # fmt: skip
    return JsonResponse(answer, status=201)


class Peer(APIView):
    """Base view of the peers, with the cheapest renderer."""

    renderer_classes = [JSONRenderer]

    def get(self, request: Request) -> Response:
        return Response(ME)


class FrameworkPeer(Peer):
    """Django REST framework only: no authentication, one row read."""

    authentication_classes: list[Any] = []
    permission_classes: list[type[BasePermission]] = []

    def get(self, request: Request) -> Response:
        return Response(ME | {"name": ApiKey.objects.values_list("name", flat=True).first()})


class ApiKeyPeer(Peer):
    """djangorestframework-api-key."""

    authentication_classes: list[Any] = []
    permission_classes: list[type[BasePermission]] = [HasAPIKey]


class KnoxPeer(Peer):
    """django-rest-knox."""

    authentication_classes = [TokenAuthentication]
    permission_classes: list[type[BasePermission]] = [IsAuthenticated]


urlpatterns = [
    path("payout", payout),
    path("drf", FrameworkPeer.as_view()),
    path("api-key", ApiKeyPeer.as_view()),
    path("knox", KnoxPeer.as_view()),
    path("", include("console.urls")),
]
