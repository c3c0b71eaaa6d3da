"""Middleware that rejects malformed and oversized requests."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse

from console.core import page_policies, routes
from console.core.middleware import GetResponse


class ReadableMiddleware:
    """Rejects NUL bytes in paths, which the database would refuse, and bodies of the wrong size.

    A body larger than its page accepts is rejected by its Content-Length, before it is read and
    fills the disk. A body without Content-Length is rejected too, because Django would treat it as
    empty.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info and not routes.is_api(request):
            raise Http404("The address holds a NUL byte.")
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        if routes.is_api(request):
            return
        policy = page_policies.policy_of(view)
        most = policy.largest_body if policy else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        length = request.META.get("CONTENT_LENGTH") or "0"
        readable = length.isascii() and length.isdigit() and len(length) < 12
        if not readable or int(length) > most or "Transfer-Encoding" in request.headers:
            raise BadRequest("The request is too large, or does not say how large it is.")
