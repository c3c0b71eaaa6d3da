"""Make one successful sandbox call of each product, through the API like any client.

The request log records these calls as usual, so they count as evidence for going live.
"""

import io
import json
import time
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from api.operations import Operation
from api.request_log_writer import WRITER
from api.v1.router import OPERATIONS
from apikeys.going_live import first_calls
from console.accounts.models import Business

# The demo's businesses call from this machine.
CALLER = "127.0.0.1"
# Example field that names an object which this business does not have.
_OF_OTHERS = "customer_id"


class SampleCallFailed(Exception):
    """Raised when an example call was refused; without it the business cannot go live."""


def call_each_product(business: Business, products: list[str], key: str) -> None:
    """Call one operation of each product not called yet; `key` is the key with its secret."""
    left = set(products) - first_calls.calls_of(business).keys()
    if left:
        api: Any = WSGIHandler()
        for product in sorted(left):
            _call(api, _operation_of(product), key)
        WRITER.flush()


def _operation_of(product: str) -> Operation:
    """Return an operation without path parameters, preferably a GET, otherwise one that creates."""
    rows = [
        row
        for row in OPERATIONS
        if row.product == product and not row.is_test_helper and "{" not in row.path
    ]
    return min(rows, key=lambda row: row.method != "GET")


def _call(api: Any, operation: Operation, key: str) -> None:
    status, body = _send(api, operation, key)
    while status == HTTPStatus.TOO_MANY_REQUESTS:
        time.sleep(1)
        status, body = _send(api, operation, key)
    if status >= HTTPStatus.BAD_REQUEST:
        raise SampleCallFailed(f"{operation.name}: {status} {body.decode()}")


def _send(api: Any, operation: Operation, key: str) -> tuple[int, bytes]:
    said: list[str] = []
    body = b"".join(api(_environ(operation, key), lambda status, _: said.append(status)))
    return int(said[0].split()[0]), body


def _environ(operation: Operation, key: str) -> dict[str, Any]:
    """Return the WSGI environ of the call."""
    address = urlsplit(settings.BASE_URL)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": operation.method,
        "PATH_INFO": settings.API_ROOTS["sandbox"] + operation.path,
        "QUERY_STRING": "",
        "HTTP_HOST": address.netloc,
        "HTTP_USER_AGENT": "demo",
        "HTTP_AUTHORIZATION": f"Bearer {key}",
        "REMOTE_ADDR": CALLER,
        "wsgi.url_scheme": address.scheme,
    }
    if operation.method != "GET":
        example = operation.example.body or {}
        own = {name: value for name, value in example.items() if name != _OF_OTHERS}
        sent = json.dumps(own).encode()
        environ |= {
            "HTTP_IDEMPOTENCY_KEY": f"demo-{operation.name}",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.input": io.BytesIO(sent),
        }
    setup_testing_defaults(environ)
    return environ
