"""Events in the OpenAPI contract: a union by type, which webhooks send and GET /events returns."""

from typing import Any

from drf_spectacular.plumbing import ComponentRegistry
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from rest_framework.views import APIView

from api.reference import event_catalogue
from api.renderers import JSON
from api.schema import OperationSchema
from api.serializers import name_of
from api.v1.public_kinds import ResourceData
from apikeys.webhooks.deliveries import PING, Ping
from console.events.public_kinds import PublicData

_REFERENCE = "#/components/schemas/{model}"
_TEXT = {"type": "string"}
TAG = {"name": "events", "description": "What we send to your webhook endpoints."}
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


class _SentData(GenerateJsonSchema):
    """The schema of data as we send it: with all fields, and without defaults or titles."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: FBT001  # as pydantic has it
        return True

    def default_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])


def register(registry: ComponentRegistry) -> None:
    """Register the objects that events contain, also those that no operation returns."""
    schema = OperationSchema()
    schema.registry, schema.view = registry, APIView(request=None)
    for model in _models():
        if issubclass(model, ResourceData):
            schema.resolve_serializer(model.serializer, "response")


def add(made: dict[str, Any]) -> None:
    """Add the events, and what they refer to, to a contract that describes GET /events.

    All are one webhook: some generators make a method of each.
    """
    components = made["components"]
    schemas = components["schemas"]
    schemas |= _own_data()
    types = {"type", "data"}
    whole = schemas["Event"]
    envelope = _part(whole, whole["properties"].keys() - types)
    envelope["description"] = "The fields that all events of objects have."
    envelope["required"].append("sequence")
    schemas["EventEnvelope"] = envelope
    found = {}
    for event in event_catalogue.every():
        own = _typed(_part(whole, types), event.kind.name, type(event.kind.sample))
        parts = [{"$ref": _REFERENCE.format(model="EventEnvelope")}, own]
        found[event.kind.name] = {"description": event.kind.summary, "allOf": parts}
    unnumbered = _part(whole, whole["properties"].keys() - {"sequence"})
    unnumbered["description"] = "A test event. It belongs to no object, so it has no number."
    found[PING] = _typed(unnumbered, PING, Ping)
    references = {kind: _REFERENCE.format(model=_name_of(kind)) for kind in found}
    schemas |= {_name_of(kind): schema for kind, schema in found.items()}
    schemas["Event"] = {
        "description": "An event, as we deliver it. We may add types.",
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }
    components["parameters"] |= {
        f"Event.{name}": {
            "name": name,
            "in": "header",
            "required": True,
            "description": says,
            "schema": _TEXT,
        }
        for name, says in _HEADERS
    }
    components["responses"] |= {
        f"Event.{name}": {"description": says} for name, says in _ANSWERS.items()
    }
    made["webhooks"] = {"event": {"post": _posted()}}


def _models() -> list[type[PublicData]]:
    models = {type(event.kind.sample) for event in event_catalogue.every()} | {Ping}
    return sorted(models, key=lambda model: model.__name__)


def _own_data() -> dict[str, Any]:
    """Return the schemas of data that is no object of the API."""
    models = [model for model in _models() if not issubclass(model, ResourceData)]
    _, made = models_json_schema(
        [(model, "serialization") for model in models],
        ref_template=_REFERENCE,
        schema_generator=_SentData,
    )
    found: dict[str, Any] = made["$defs"]
    return found


def _part(schema: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Return a schema with these of its properties."""
    properties = {name: one for name, one in schema["properties"].items() if name in names}
    required = [name for name in schema["required"] if name in names]
    return {"type": "object", "properties": properties, "required": required}


def _typed(schema: dict[str, Any], kind: str, model: type[PublicData]) -> dict[str, Any]:
    """Return the schema of an event with this type and data."""
    data = name_of(model.serializer) if issubclass(model, ResourceData) else model.__name__
    sent = schema["properties"]
    words = {name: {"description": sent[name]["description"]} for name in ("type", "data")}
    sent["type"] = {"type": "string", "const": kind, **words["type"]}
    sent["data"] = {"allOf": [{"$ref": _REFERENCE.format(model=data)}], **words["data"]}
    return schema


def _name_of(kind: str) -> str:
    """Return the name of an event's schema: `PayoutCompletedEvent`."""
    return "".join(word.capitalize() for word in kind.replace(".", "_").split("_")) + "Event"


def _posted() -> dict[str, Any]:
    examples = {
        event.kind.name: {"summary": event.kind.summary, "value": event.body}
        for event in event_catalogue.every()
    }
    schema = {"$ref": _REFERENCE.format(model="Event")}
    return {
        "operationId": "events.receive",
        "summary": "An event for your webhook endpoint.",
        "description": "We sign each delivery. Verify the signature before you use the body.",
        "tags": [TAG["name"]],
        "security": [],
        "parameters": [{"$ref": f"#/components/parameters/Event.{name}"} for name, _ in _HEADERS],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": schema, "examples": examples}},
        },
        "responses": {name: {"$ref": f"#/components/responses/Event.{name}"} for name in _ANSWERS},
    }
