"""Webhooks in the OpenAPI contract: one entry for each public event type."""

from typing import Any

from pydantic.json_schema import models_json_schema

from api.envelopes import JSON
from api.reference import event_catalogue
from api.reference.event_catalogue import DocumentedEvent
from console.events.public_kinds import EVERY_ENVIRONMENT

# The prefix keeps these apart from the schemas of operations.
_REFERENCE = "#/components/schemas/Event.{model}"
_TEXT = {"type": "string"}
TAG = {"name": "events", "description": "What we send to your webhook endpoints."}
_ENVELOPE = {
    "type": "object",
    "description": "What every event has.",
    "properties": {
        "id": _TEXT,
        "object": {"type": "string", "const": "event"},
        "created_at": {"type": "string", "format": "date-time"},
        "environment": {"type": "string", "enum": list(EVERY_ENVIRONMENT)},
        "api_version": _TEXT,
        "sequence": {"type": "integer", "minimum": 1},
    },
    "required": ["id", "object", "created_at", "environment", "api_version", "sequence"],
}
_ANSWERS = {
    "2XX": "Delivered. After any other response we try again.",
    "410": "The endpoint no longer exists. We pause it.",
}
_HEADERS = (
    ("Service-Signature", "`t=<unix>,v1=<hex>`: HMAC-SHA256 over `<t>.<body>`."),
    ("webhook-id", "The ID of the event. It is the same on every attempt."),
    ("webhook-timestamp", "The time of the signature, in seconds since 1970."),
    ("webhook-signature", "The signature in the format of Standard Webhooks."),
)


def webhooks() -> dict[str, Any]:
    """Return the `webhooks` object, which describes the request for each event type."""
    return {event.kind.name: {"post": _posted(event)} for event in event_catalogue.every()}


def components() -> dict[str, dict[str, Any]]:
    """Return the components that the events refer to, by section of `components`."""
    models = {type(event.kind.sample) for event in event_catalogue.every()}
    in_order = sorted(models, key=lambda model: model.__name__)
    _, made = models_json_schema(
        [(model, "serialization") for model in in_order], ref_template=_REFERENCE
    )
    schemas = {f"Event.{name}": schema for name, schema in made["$defs"].items()}
    headers = {
        f"Event.{name}": {
            "name": name,
            "in": "header",
            "required": True,
            "description": says,
            "schema": _TEXT,
        }
        for name, says in _HEADERS
    }
    answers = {f"Event.{name}": {"description": says} for name, says in _ANSWERS.items()}
    schemas["Event.Envelope"] = _ENVELOPE
    return {"schemas": schemas, "parameters": headers, "responses": answers}


def _posted(event: DocumentedEvent) -> dict[str, Any]:
    content = {"schema": _body(event), "example": event.body}
    return {
        "operationId": f"event.{event.kind.name}",
        "summary": event.kind.summary,
        "description": "We sign each delivery. Verify the signature before you use the body.",
        "tags": [TAG["name"]],
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/Event.{name}"} for name, _ in _HEADERS],
        "requestBody": {"required": True, "content": {JSON: content}},
        "responses": {name: {"$ref": f"#/components/responses/Event.{name}"} for name in _ANSWERS},
    }


def _body(event: DocumentedEvent) -> dict[str, Any]:
    own = {
        "type": {"type": "string", "const": event.kind.name},
        "data": {"$ref": _REFERENCE.format(model=type(event.kind.sample).__name__)},
    }
    envelope = {"$ref": "#/components/schemas/Event.Envelope"}
    return {"allOf": [envelope, {"type": "object", "properties": own, "required": list(own)}]}
