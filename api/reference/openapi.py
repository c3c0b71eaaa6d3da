"""The published contract: OpenAPI 3.1, made by drf-spectacular from the ViewSets.

Nothing is written beside an action: its docstring, serializers, scope and codes say everything.
"""

import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator

from api.fields import StrictSerializer
from api.reference import openapi_components, openapi_events
from api.schema import tag_of
from api.v1.router import OPERATIONS, ROUTER
from console.catalogue.definitions import PRODUCTS


@cache
def document() -> bytes:
    """Return the contract as JSON. The router never changes while a process runs."""
    made = SchemaGenerator(patterns=ROUTER.urls).get_schema(request=None, public=True)
    schemas = made["components"]["schemas"]
    for name in _strict_names(row.body for row in OPERATIONS if row.body):
        # What nobody knows is refused.
        schemas[name]["additionalProperties"] = False
    openapi_components.share(made, OPERATIONS)
    for kind, added in openapi_events.components().items():
        made["components"][kind] |= added
    docs = f"{settings.BASE_URL}/docs/"
    said = f"Read {docs} for authentication, errors and idempotency."
    made["info"] |= {"description": said, "contact": {"url": docs}}
    made["tags"] = _tags()
    made["webhooks"] = openapi_events.webhooks()
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def etag() -> str:
    """Return the entity tag of the contract."""
    return f'"{sha256(document()).hexdigest()[:32]}"'


def without_marks(result: Any, **_: Any) -> Any:
    """Take out what drf-spectacular notes for itself. Called by its name, from settings."""
    if isinstance(result, dict):
        return {n: without_marks(v) for n, v in result.items() if n != "x-spec-enum-id"}
    return [without_marks(one) for one in result] if isinstance(result, list) else result


def _tags() -> list[dict[str, str]]:
    """Describe each product that has operations, and what we send."""
    products = dict.fromkeys(row.product for row in OPERATIONS)
    tags = [{"name": tag_of(key), "description": str(PRODUCTS[key].what)} for key in products]
    return [*tags, openapi_events.TAG]


def _strict_names(bodies: Iterable[type[StrictSerializer]]) -> set[str]:
    """Return what drf-spectacular calls these serializers, and those that stand in them."""
    found = set()
    for body in bodies:
        found.add(body.__name__.removesuffix("Serializer"))
        inside = (type(field) for field in body().fields.values())
        found |= _strict_names(one for one in inside if issubclass(one, StrictSerializer))
    return found
