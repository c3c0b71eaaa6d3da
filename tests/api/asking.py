"""A client that knows nothing but the operation table: it asks each row with the row's example."""

import itertools
import json
from typing import Any

from api.gateway.operations import Operation
from api.v1.operations import TABLE
from console.catalogue.definitions import PRODUCTS
from tests.api.calling import Caller, Reply
from tests.apikeys import world

ROWS = {(row.method, row.path): row for row in TABLE.operations}
EXAMPLES = {row.name: row.example for row in TABLE.operations if row.example is not None}

# Where the things are that an example names by their ids.
NAMED = {"beneficiary_id": "beneficiaries"}


def a_client() -> str:
    """Return the key of a business that may do everything in the sandbox."""
    scopes = tuple(scope for product in PRODUCTS.values() for scope in product.scopes)
    return world.a_key(world.a_grant(products=tuple(PRODUCTS)), scopes=scopes)[1]


class Client:
    """Asks for what an operation needs before it asks the operation."""

    def __init__(self, api: Caller, plain: str) -> None:
        self.api, self.plain = api, plain
        self._keys = (f"client-{number:06}" for number in itertools.count())

    def ask(self, row: Operation, path: str, body: Any = None) -> Reply:
        more: dict[str, Any] = {}
        raw = b""
        if row.body:
            raw = json.dumps(self.body_of(row) if body is None else body).encode()
            more = {"CONTENT_TYPE": "application/json", "HTTP_IDEMPOTENCY_KEY": next(self._keys)}
        return self.api.call(row.method, f"/sandbox/v1{path}", self.plain, body=raw, **more)

    def path_of(self, row: Operation) -> str:
        """Return the row's path, with the id of something that is there."""
        before, named, after = row.path.partition("/{id}")
        return f"{before}/{self.id_in(before)}{after}" if named else row.path

    def body_of(self, row: Operation) -> dict[str, Any]:
        """Return the row's example, which names what is there."""
        assert row.example is not None
        named = {name: f"/{NAMED[name]}" for name in row.example if name in NAMED}
        return row.example | {name: self.id_in(path) for name, path in named.items()}

    def id_in(self, path: str) -> str:
        """Return the id of a new thing under a path; of the newest, where none can be made."""
        if making := ROWS.get(("POST", path)):
            return str(self.ask(making, path).json["id"])
        return str(self.ask(ROWS["GET", path], path).json["data"][0]["id"])
