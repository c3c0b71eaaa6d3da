"""Refuses an address that nothing can be filed under, before any page looks at it."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class ReadableMiddleware:
    """A NUL byte is in no name and no id, and the database would break at it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info:
            raise BadRequest("The address holds a NUL byte.")
        return self.get_response(request)
