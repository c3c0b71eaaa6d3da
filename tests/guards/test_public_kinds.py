"""Every public event kind has a source, a scenario, a schema and a valid sample."""

import json

from pydantic import ValidationError

from console.events import public_kinds
from console.events.public_kinds import PublicData, PublicKind
from tests.api.resource_outcomes import OUTCOMES
from tests.events.public_scenarios import SCENARIOS

KNOWN = SCENARIOS.keys() | OUTCOMES.keys()
# The first fields of every public object.
FIRST = ("id", "object")


def faults_of(kind: PublicKind) -> list[str]:
    """Return what is missing or wrong in a kind."""
    found = []
    if not kind.sources:
        found.append("has no source")
    if kind.name not in KNOWN:
        found.append("is told by no verb that a test knows")
    schema = type(kind.sample)
    members = schema.model_fields
    if schema is PublicData or tuple(members)[:2] != FIRST:
        found.append("has no schema")
    found += [
        f"does not say what {name} is" for name, one in members.items() if not one.description
    ]
    written = json.dumps(kind.sample.model_dump(mode="json", warnings=False))
    try:
        schema.model_validate_json(written)
    except ValidationError as error:
        found.append(f"has a sample that its schema refuses: {error.errors()[0]['loc']}")
    if not kind.summary.endswith("."):
        found.append("does not say when it is told")
    return found


def test_every_kind_is_whole():
    found = {kind.name: faults_of(kind) for kind in public_kinds.every()}
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_scenarios_are_of_kinds_that_there_are():
    assert public_kinds.names() >= KNOWN
