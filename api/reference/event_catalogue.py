"""Public event types as the documentation shows them, from the registry."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from api.reference import members
from api.reference.members import DocumentedMember
from apikeys.webhooks import envelope
from console.events import public_kinds
from console.events.public_kinds import PublicKind

_EVENT_ID = "evt_01k3vq6t9z8q4j7m2n5p0r1s3t"
_MOMENT = datetime(2026, 9, 1, 9, 30, 1, tzinfo=UTC)


@dataclass(frozen=True)
class DocumentedEvent:
    """An event type with its documentation."""

    kind: PublicKind

    @property
    def anchor(self) -> str:
        return self.kind.name.replace(".", "-").replace("_", "-")

    @property
    def members(self) -> list[DocumentedMember]:
        """Return the fields of its `data`, each followed by its nested fields."""
        schema = type(self.kind.sample).model_json_schema()
        return members.of_schema(schema, schema.get("$defs", {}))

    @property
    def sample(self) -> str:
        """Return the body of a sample event as indented text; deliveries have no whitespace."""
        return json.dumps(self.body, indent=2, ensure_ascii=False)

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of a sample event."""
        data = self.kind.sample.model_dump(mode="json")
        sent = envelope.body_of(
            event_id=_EVENT_ID,
            kind=self.kind.name,
            created_at=_MOMENT,
            environment=data.get("environment", "live"),
            api_version=settings.API_VERSION,
            sequence=1,
            data=data,
        )
        body: dict[str, Any] = json.loads(sent)
        return body


def every() -> list[DocumentedEvent]:
    """Return all event types, by name."""
    return [DocumentedEvent(kind) for kind in public_kinds.every()]
