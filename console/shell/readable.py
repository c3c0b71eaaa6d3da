"""Refuses a request that nothing can be made of, before any page looks at it."""

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse

from console.core import queues, routes
from console.core.middleware import GetResponse

# A form without files: more of it no page reads, and who needs more declares a queue.
LARGEST = settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class ReadableMiddleware:
    """No name and no id holds a NUL byte, which the database would refuse: nothing is there.

    A larger body than any page takes is refused by its announced length: read first, it would
    fill the disk, whoever sends it.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if routes.is_api(request):
            return self.get_response(request)
        if "\x00" in request.path_info:
            raise Http404("The address holds a NUL byte.")
        most = queues.largest(request.method or "", request.path_info, LARGEST)
        length = request.META.get("CONTENT_LENGTH") or "0"
        readable = length.isascii() and length.isdigit() and len(length) < 12
        if not readable or int(length) > most:
            raise BadRequest("The request is too large.")
        return self.get_response(request)
