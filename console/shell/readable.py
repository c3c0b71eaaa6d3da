"""Refuses a request that nothing can be made of, before any page looks at it."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from console.core.middleware import GetResponse

# Three times the largest file that a page takes, so that most who send too much read that there.
LARGEST = 64 * 1024 * 1024


class ReadableMiddleware:
    """A NUL byte is in no name and no id, and the database would break at it.

    A larger body than any page takes is refused by its announced length: read first, it would
    fill the disk, whoever sends it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise BadRequest("The address holds a NUL byte.")
        length = request.META.get("CONTENT_LENGTH") or "0"
        readable = length.isascii() and length.isdigit() and len(length) < 12
        if not readable or int(length) > LARGEST:
            raise BadRequest("The request is too large.")
        return self.get_response(request)
