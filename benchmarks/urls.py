"""The views that ours is compared with. All answer the same context of about 700 bytes."""

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from knox.auth import TokenAuthentication
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_api_key.permissions import HasAPIKey

from benchmarks.answer import ANSWER


def bare(request: HttpRequest) -> HttpResponseBase:
    """Answer at once: what the framework itself costs."""
    return JsonResponse(ANSWER)


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
    path("drf", FrameworkPeer.as_view()),
    path("api-key", ApiKeyPeer.as_view()),
    path("knox", KnoxPeer.as_view()),
]
