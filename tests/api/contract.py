"""The promise of the API's version: the contract, compared with the one of the newest release.

`baseline.jsonl` is that contract without words and examples; the first release writes it
(CONTRIBUTING.md). Within a version we may add operations, optional parameters, optional request
fields and response fields.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BASELINE = Path(__file__).with_name("baseline.jsonl")
_WORDS = {"description", "summary", "title", "example", "examples", "x-rule"}
# What may gain members; parameters and request fields only optional ones. `oneOf` with names is a
# union by type, such as that of events.
_GROWS = ("/parameters", "/properties", "/headers", "/oneOf")


def read() -> dict[str, Any]:
    """Return the baseline: the contract, and the `release` that froze it, or "" before one."""
    found: dict[str, Any] = {"release": "", "components": {}, "paths": {}, "webhooks": {}}
    if not BASELINE.exists():
        return found
    first, *lines = BASELINE.read_text().splitlines()
    for line in lines:
        place, node = json.loads(line)
        section = found
        for name in place[:-1]:
            section = section.setdefault(name, {})
        section[place[-1]] = node
    return found | json.loads(first)


def write(contract: dict[str, Any], release: str) -> None:
    """Write the contract as the baseline, unless it takes back what a release promised."""
    if broken := list(taken_back(promises(read()), promises(contract))):
        sys.exit("\n".join(["It takes back what a release promised:", *broken]))
    BASELINE.write_text("\n".join([json.dumps({"release": release}), *_lines(contract)]) + "\n")


def _lines(contract: dict[str, Any]) -> Iterator[str]:
    """Yield one line for each path, event and component: its place, and what is there."""
    found = wordless(contract)
    sections = {f"components {kind}": held for kind, held in found["components"].items()}
    sections |= {kind: found[kind] for kind in ("paths", "webhooks")}
    for place, held in sorted(sections.items()):
        for name, node in sorted(held.items()):
            yield json.dumps([[*place.split(), name], node], sort_keys=True, ensure_ascii=False)


def wordless(node: Any, *, named: bool = False) -> Any:
    """Return part of a contract without words and examples; `named` members are names of ours."""
    if isinstance(node, list):
        return [wordless(one) for one in node]
    if not isinstance(node, dict):
        return node
    names = ("properties", "schemas", "parameters", "responses", "headers", "paths", "webhooks")
    return {
        name: wordless(inner, named=name in names and isinstance(inner, dict))
        for name, inner in node.items()
        if named or name not in _WORDS | {"info", "servers"}
    }


def promises(contract: dict[str, Any]) -> dict[str, Any]:
    """Return what clients depend on, by operation and event, with every reference written out."""
    contract = wordless(contract)
    found: dict[str, Any] = {}
    for kind in ("paths", "webhooks"):
        for path, item in contract[kind].items():
            for method, operation in item.items():
                said = _resolved(contract, operation)
                sent = said.pop("requestBody", {})
                answers = said.pop("responses")
                if kind == "webhooks":
                    answers = {"event": sent}
                else:
                    listed = {f"{one['in']} {one['name']}": one for one in said.pop("parameters")}
                    said |= {"body": sent, "parameters": listed}
                found[f"{method.upper()} {path}"] = said | {"answers": answers}
    return found


def _resolved(contract: dict[str, Any], node: Any, seen: tuple[str, ...] = ()) -> Any:
    if isinstance(node, list):
        return [_resolved(contract, one, seen) for one in node]
    if not isinstance(node, dict):
        return node
    if ref := node.get("$ref"):
        if ref in seen:
            return {"cycle": ref}
        _, _, kind, name = ref.split("/")
        there = _resolved(contract, contract["components"][kind][name], (*seen, ref))
        beside = {name: inner for name, inner in node.items() if name != "$ref"}
        return there | beside
    if union := node.get("discriminator"):
        named = {name: {"$ref": ref} for name, ref in union["mapping"].items()}
        return _resolved(contract, {"oneOf": named}, seen)
    found = {name: _resolved(contract, inner, seen) for name, inner in node.items()}
    # By place, so that an object in it may gain members like any other.
    return found | {
        name: {str(place): one for place, one in enumerate(found[name])}
        for name in ("allOf", "anyOf")
        if isinstance(found.get(name), list)
    }


def taken_back(before: Any, after: Any, path: str = "", *, answered: bool = False) -> Iterator[str]:
    """Yield the places where a client no longer finds what it may depend on."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        if before != after:
            yield f"{path} is {json.dumps(after)[:80]}, not {json.dumps(before)[:80]}"
        return
    for name in sorted(before.keys() | after.keys()):
        here = f"{path}/{name}"
        if name == "required" and not path.endswith("/properties"):
            was, now = _required(before), _required(after)
            yield from (f"{here} has {one}" for one in (was - now if answered else now - was))
        elif name not in after:
            yield f"{here} is gone"
        elif name in before:
            below = answered or name == "answers"
            yield from taken_back(before[name], after[name], here, answered=below)
        else:
            yield from _added(path, here, after[name])


def _added(path: str, here: str, added: Any) -> Iterator[str]:
    if path and not path.endswith(_GROWS):
        yield f"{here} is new"
    elif path.endswith("/parameters") and added.get("required"):
        yield f"{here} is required"


def _required(node: dict[str, Any]) -> set[Any]:
    """Return the fields that a schema requires, or whether a parameter or body is required."""
    found = node.get("required", [])
    return set(found) if isinstance(found, list) else {found} - {False}


def main(release: str) -> None:
    """Write the baseline of a release."""
    import django

    from console.launch.check import PRODUCTION

    os.environ.update(PRODUCTION | {"DJANGO_SETTINGS_MODULE": "console.settings"})
    django.setup()
    from api.reference import openapi

    write(json.loads(openapi.document()), release)


if __name__ == "__main__":
    main(*sys.argv[1:])
