"""What is known about the call that the API is answering."""

from dataclasses import dataclass

from django.http import HttpRequest

from api.operations import Operation
from apikeys.models import ApiKey


@dataclass
class ApiCall:
    """A call so far, for the request log: each part is empty until it is known.

    Authentication sets `key` once it is proved, even if the call is refused later. The view sets
    `ip`, `operation` and `version`, and the exception handler the `code` of a refusal.
    """

    ip: str = ""
    key: ApiKey | None = None
    operation: Operation | None = None
    version: str = ""
    code: str = ""


class ApiRequest(HttpRequest):
    """A request below the API's roots. The middleware adds `api_call`."""

    api_call: ApiCall
