"""Base view of the API: authentication, permissions, throttles and version."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.conf import settings
from django.urls import resolve
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import call_signatures, parsers, throttling, versioning
from api.authentication import KeyAuthentication
from api.calls import ApiCall
from api.operations import Operation
from api.parsers import StrictJSONParser
from api.permissions import KEY_PERMISSIONS, IsSigned
from api.problems import ApiProblem, unreadable
from api.rate_limits import LimitState
from api.renderers import ObjectRenderer
from api.throttling import KeyThrottle
from api.versioning import HeaderVersioning
from apikeys.models import ApiKey
from console.core import addresses, ids
from console.shell.headers import NOTHING


class AlwaysJSON(BaseContentNegotiation):
    """Respond in JSON regardless of `Accept`."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class ApiView(APIView):
    """Base of all API views, which use no session, cookie or user account."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = (IsSigned, *KEY_PERMISSIONS)
    throttle_classes = (KeyThrottle,)
    parser_classes = (StrictJSONParser,)
    renderer_classes = (ObjectRenderer,)
    content_negotiation_class = AlwaysJSON
    versioning_class = HeaderVersioning

    environment: str
    operation: Operation
    # What the request log knows of this call.
    call: ApiCall
    # The client's address, or "" if unknown.
    ip: str
    request_id: str
    # The limits from which the call spent a token.
    limits: Sequence[LimitState] = ()

    @property
    def key(self) -> ApiKey:
        """The calling key, once proved."""
        key: Any = self.request.auth
        return cast("ApiKey", key)

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        self.environment = kwargs["environment"]
        self.request_id = request.META["console.request_id"]
        ip = addresses.client_ip(request)
        # A zone ID is meaningless on other machines.
        self.ip = "" if "%" in ip else ip
        self.call = request.api_call
        self.call.ip = self.ip
        # Strip whitespace around header values, which some servers leave in place.
        stripped = {n: v.strip(" \t") for n, v in request.META.items() if n.startswith("HTTP_")}
        request.META.update(stripped)
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check a call in the published order; the first failed check determines the response."""
        parsers.check_size(request)
        if settings.HTTPS and not request.is_secure():
            raise unreadable("/url", "not_https", "Use https to call the API.")
        self.operation = self.call.operation = self.find_operation(request)
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)
        call_signatures.use_nonce(request, self.key)
        request.version, request.versioning_scheme = self.determine_version(request)
        self.call.version = str(request.version)

    def find_operation(self, request: Request) -> Operation:
        """Return the called operation, or raise a 404 or 405."""
        raise NotImplementedError

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except ApiProblem:
            throttling.count_failed_authentication(self.ip)
            raise

    def check_permissions(self, request: Request) -> None:
        try:
            super().check_permissions(request)
        except ApiProblem:
            self.limits = throttling.spend_on_refusal(self.key.grant)
            throttling.refuse_emptied(self.limits[1:])
            raise

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        super().finalize_response(request, response, *args, **kwargs)
        self.call.object_id = self._object_id(response.data)
        if self.limits:
            # draft-ietf-httpapi-ratelimit-headers-10
            policies = [state.policy.header for state in self.limits]
            states = [f'"{s.policy.name}";r={s.remaining};t={int(s.wait) + 1}' for s in self.limits]
            response["RateLimit-Policy"] = ", ".join(policies)
            response["RateLimit"] = ", ".join(states)
        for name, value in versioning.headers(getattr(request, "version", None)):
            response[name] = value
        response["Content-Security-Policy"] = NOTHING
        if self.environment == "sandbox":
            response["Simulated"] = "true"
        return response

    def _object_id(self, answered: Any) -> str:
        """Return the ID of ours in the path, or else in the answer, or ""."""
        said = answered if isinstance(answered, dict) else {}
        result = said.get("data")
        named = [self.kwargs.get("id"), said.get("id")]
        named += [result.get("reference")] if isinstance(result, dict) else []
        return next((one for one in named if isinstance(one, str) and ids.SHAPE.fullmatch(one)), "")


class NothingHere(ApiView):
    """Any URL under the API's roots that matches no operation."""

    def find_operation(self, request: Request) -> Operation:
        # Every other path under the roots resolves to this view.
        known = resolve(request.path.rstrip("/")).func is not resolve(request.path).func
        raise ApiProblem("NOT_FOUND", "Remove the slash at the end of the path." if known else "")
