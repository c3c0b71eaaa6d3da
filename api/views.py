"""How a call passes through REST framework: authentication, permissions, throttles, version."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.conf import settings
from django.urls import resolve
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api import call_signatures, parsers, throttling, versioning
from api.authentication import KeyAuthentication
from api.envelopes import VERSIONED_FAMILY, Envelope
from api.operations import Operation
from api.parsers import StrictJSONParser
from api.permissions import KEY_PERMISSIONS, IsSigned
from api.problems import ApiProblem, unreadable
from api.rate_limits import LimitState
from api.throttling import KeyThrottle
from api.versioning import HeaderVersioning
from apikeys.models import ApiKey
from console.core import addresses
from console.shell.headers import NOTHING


class AlwaysJSON(BaseContentNegotiation):
    """Answer in JSON whatever `Accept` says."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class ApiView(APIView):
    """The parent of every view of the API. It knows no session, no cookie and no person."""

    authentication_classes = (KeyAuthentication,)
    permission_classes = (IsSigned, *KEY_PERMISSIONS)
    throttle_classes = (KeyThrottle,)
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = AlwaysJSON
    versioning_class = HeaderVersioning
    envelope: Envelope = VERSIONED_FAMILY

    environment: str
    operation: Operation
    # The address that calls; empty where it cannot be read.
    ip: str
    request_id: str
    # The limits that the call has spent a token of.
    limits: Sequence[LimitState] = ()

    @property
    def key(self) -> ApiKey:
        """The key that calls, once it is proved."""
        key: Any = self.request.auth
        return cast("ApiKey", key)

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        self.environment = kwargs["environment"]
        self.request_id = request.META["console.request_id"]
        ip = addresses.client_ip(request)
        # An address with a zone means nothing outside its own machine.
        self.ip = "" if "%" in ip else ip
        # Blanks around a value do not belong to it, whichever server passes them on.
        stripped = {n: v.strip(" \t") for n, v in request.META.items() if n.startswith("HTTP_")}
        request.META.update(stripped)
        request.api_view = self  # the request log asks it what was called
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check a call in the published order; the first check that fails answers."""
        parsers.check_size(request)
        if settings.HTTPS and not request.is_secure():
            raise unreadable("/url", "not_https", "Use https to call the API.")
        self.operation = self.find_operation(request)
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)
        call_signatures.use_nonce(request, self.key)
        request.version, request.versioning_scheme = self.determine_version(request)

    def find_operation(self, request: Request) -> Operation:
        """Return what is called, or refuse with 404 or 405."""
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


class NothingHere(ApiView):
    """An address below the API's roots that leads nowhere."""

    def find_operation(self, request: Request) -> Operation:
        # `resolve` finds this view for every other path below the roots.
        known = resolve(request.path.rstrip("/")).func is not resolve(request.path).func
        raise ApiProblem("NOT_FOUND", "Remove the slash at the end of the path." if known else "")
