"""The operations as a Postman collection (format v2.1), built from the operation table."""

import json
from functools import cache
from typing import Any

from api.operations import Operation
from api.reference import documented_operations, sample_calls
from api.reference.walkthroughs import Step, made_by, needed_by, of_product

_SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


@cache
def collection() -> bytes:
    """Return the collection as JSON: a folder for each product, with requests in working order."""
    made = {
        "info": {
            "name": "Business payments API (sandbox)",
            "description": "Set key_id and api_secret, then run a folder from top to bottom.",
            "schema": _SCHEMA,
        },
        "auth": {"type": "bearer", "bearer": [_text("token", "{{key_id}}:{{api_secret}}")]},
        "variable": [
            _text("base_url", sample_calls.root("sandbox")),
            _text("key_id", ""),
            _text("api_secret", ""),
        ],
        "item": [
            {
                "name": documented.product.name,
                "description": str(documented.product.what),
                "item": [_request(step) for step in of_product(documented.product.key)],
            }
            for documented in documented_operations.by_product()
        ],
    }
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _request(step: Step) -> dict[str, Any]:
    row = step.operation
    path = _named(row, row.example_path)
    request: dict[str, Any] = {
        "method": row.method,
        "description": row.summary,
        "header": [],
        "url": {
            "raw": f"{{{{base_url}}}}{path}",
            "host": ["{{base_url}}"],
            "path": path.strip("/").split("/"),
        },
    }
    if row.example.body is not None:
        request["header"] = [
            {"key": "Content-Type", "value": "application/json"},
            {"key": "Idempotency-Key", "value": "{{$guid}}"},
        ]
        body = json.dumps(row.example.body, ensure_ascii=False, indent=2)
        request["body"] = {"mode": "raw", "raw": _named(row, body)}
    return {"name": f"{row.method} {row.path}", "request": request, "event": _kept_ids(row)}


def _named(row: Operation, text: str) -> str:
    """Replace IDs from earlier responses by Postman variables."""
    for made, variable in needed_by(row).items():
        text = text.replace(made, f"{{{{{variable.name}}}}}")
    return text


def _kept_ids(row: Operation) -> list[dict[str, Any]]:
    """Return the script that saves IDs from the response for later requests."""
    lines = [
        f'pm.collectionVariables.set("{one.name}", pm.response.json().{one.path});'
        for one in made_by(row)
    ]
    script = {"type": "text/javascript", "exec": lines}
    return [{"listen": "test", "script": script}] if lines else []


def _text(key: str, value: str) -> dict[str, str]:
    return {"key": key, "value": value, "type": "string"}
