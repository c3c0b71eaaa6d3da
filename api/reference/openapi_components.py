"""Move what the contract repeats to `components`: parameters, headers, errors and choices."""

from typing import Any

from api.idempotency import FINAL_CODES
from api.operations import Operation
from api.problems import CODES
from api.v1.shared_fields import COUNTRIES
from console.core.money import ASSETS, CURRENCIES

_TEXT = {"type": "string"}
_HEADERS = {
    "X-Request-Id": "The ID of this call.",
    "Service-Version": "The version in which we answered.",
    "RateLimit-Policy": "The limits that apply to this call.",
    "RateLimit": "How much of each limit is left.",
    "Simulated": "`true` in the sandbox.",
    "Idempotent-Replayed": "`true` if this is the response to an earlier call.",
    "Original-Request-Id": "The ID of that earlier call.",
    "Retry-After": "In how many seconds to try again.",
    "WWW-Authenticate": "How to authenticate.",
}
_OF_EVERY_ANSWER = ("X-Request-Id", "Service-Version", "RateLimit-Policy", "RateLimit", "Simulated")
_OF_REPLAYS = ("Idempotent-Replayed", "Original-Request-Id")
# Refusals that a retry would not change are replayed too.
_REPLAYED = {str(CODES[name].status) for name in FINAL_CODES}
_OF_STATUS = {
    "401": ("WWW-Authenticate",),
    "403": ("WWW-Authenticate",),
    "409": ("Retry-After",),
    "429": ("Retry-After",),
    "503": ("Retry-After",),
}

_FIAT = [code for code in CURRENCIES if code not in ASSETS]
_CHOICES = {
    "Currency": ("A currency or asset.", list(CURRENCIES)),
    "FiatCurrency": ("A currency that is not an asset (ISO 4217).", _FIAT),
    "Asset": ("An asset on a blockchain.", list(ASSETS)),
    "Country": ("A country (ISO 3166-1 alpha-2).", COUNTRIES),
}


def share(made: dict[str, Any], operations: tuple[Operation, ...]) -> None:
    """Add each response's headers, and move what several operations repeat to `components`."""
    components = made["components"]
    components["headers"] = {
        name: {"description": says, "schema": _TEXT} for name, says in _HEADERS.items()
    }
    for row in operations:
        operation = made["paths"][row.path][row.method.lower()]
        operation["parameters"] = [
            _reference(components, "parameters", one["name"], one)
            for one in operation["parameters"]
        ]
        for status, answer in operation["responses"].items():
            answer["headers"] = _headers(row, status)
            if int(status) >= 400:
                _share_examples(components, answer)
                shared = _reference(components, "responses", status, answer)
                operation["responses"][status] = shared


def with_shared_choices(made: dict[str, Any]) -> dict[str, Any]:
    """Return the contract with a reference to a component for each list of such choices."""
    found: dict[str, Any] = _with_references(made)
    found["components"]["schemas"] |= {
        name: {"type": "string", "enum": choices, "description": says}
        for name, (says, choices) in _CHOICES.items()
    }
    return found


def _with_references(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_references(one) for one in node]
    if not isinstance(node, dict):
        return node
    for name, (_, choices) in _CHOICES.items():
        if node.get("enum") == choices:
            reference = {"$ref": f"#/components/schemas/{name}"}
            rest = {key: node[key] for key in node.keys() - {"type", "enum"}}
            return {"allOf": [reference], **rest} if rest else reference
    return {name: _with_references(inner) for name, inner in node.items()}


def resolved(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """Return the target of a reference, or the node itself if it is none."""
    if "$ref" not in node:
        return node
    _, _, kind, name = node["$ref"].split("/")
    found: dict[str, Any] = document["components"][kind][name]
    return found


def _headers(row: Operation, status: str) -> dict[str, Any]:
    replayed = int(status) < 300 or status in _REPLAYED
    replays = _OF_REPLAYS if row.changes and replayed else ()
    names = (*_OF_EVERY_ANSWER, *replays, *_OF_STATUS.get(status, ()))
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _share_examples(components: dict[str, Any], answer: dict[str, Any]) -> None:
    for content in answer["content"].values():
        examples = content.get("examples", {})
        for name, example in examples.items():
            examples[name] = _reference(components, "examples", name, example)


def _reference(
    components: dict[str, Any], kind: str, name: str, node: dict[str, Any]
) -> dict[str, str]:
    """Return a reference to this node as a component; number its name if that is taken."""
    known, number, key = components.setdefault(kind, {}), 1, name
    while known.setdefault(key, node) != node:
        number += 1
        key = f"{name}.{number}"
    return {"$ref": f"#/components/{kind}/{key}"}
