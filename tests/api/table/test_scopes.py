"""With only the published contract, a client can use every scope of all products."""

import json
from typing import Any

import pytest

from api.reference import openapi
from api.v1.router import OPERATIONS
from console.catalogue.definitions import PRODUCTS
from tests.api.asking import Client, a_client

CONTRACT: dict[str, Any] = json.loads(openapi.document())
SCOPES = [scope for product in PRODUCTS.values() for scope in product.scopes]
# Published operations by scope, those without path parameters first.
PUBLISHED = {
    scope: sorted(
        (
            (path, said)
            for path, methods in CONTRACT["paths"].items()
            for said in methods.values()
            if said["x-scope"] == scope
        ),
        key=lambda one: "{" in one[0],
    )
    for scope in SCOPES
}


def test_every_scope_has_an_operation():
    assert not [scope for scope, found in PUBLISHED.items() if not found]


@pytest.mark.parametrize("scope", SCOPES)
def test_the_published_example_of_a_scope_is_answered(api, scope):
    _, said = PUBLISHED[scope][0]
    (row,) = [one for one in OPERATIONS if one.name == said["operationId"]]
    client = Client(api, a_client())

    reply = client.ask(row, client.path_of(row), published_body(client, row, said))

    assert 200 <= reply.status < 300, reply.body
    assert str(reply.status) in said["responses"]


def published_body(client: Client, row: Any, said: dict[str, Any]) -> Any:
    """Return the contract's example body, with the caller's own ids."""
    if "requestBody" not in said:
        return None
    content = said["requestBody"]["content"]["application/json"]
    (example,) = content["examples"].values()
    return json.loads(client.with_own_ids(row, json.dumps(example["value"])))
