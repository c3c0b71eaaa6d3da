"""Choose the documents of a pack: pure rules over frozen facts, with a trace of every answer.

The rules are data, one versioned edition a file. Their order is the order of the documents.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agreements.templates.template_library import LIBRARY
from console.core.digests import digest

CURRENT = "2026-11.2"
RULES_DOMAIN = "agr.ruleset.v1"
TRACE_DOMAIN = "agr.trace.v1"
OPERATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: bool(value == wanted),
    "in": lambda value, wanted: value in wanted,
    "intersects": lambda value, wanted: bool(set(value) & set(wanted)),
    "not_empty": lambda value, _: bool(value),
}


class RulesRefused(Exception):
    """The rule set or the facts cannot be used; the message says where."""


@dataclass(frozen=True)
class Selected:
    """One document of the pack, its place, and the rule that asked for it."""

    order: int
    code: str
    version: str
    rule: str
    why: str


@dataclass(frozen=True)
class Selection:
    """The documents in their order, and the evidence of why these."""

    documents: tuple[Selected, ...]
    rules: Mapping[str, Any]
    edition: str
    ruleset_sha256: str
    trace: tuple[dict[str, Any], ...]
    trace_sha256: str


@cache
def ruleset(edition: str = CURRENT, library: Path = LIBRARY) -> dict[str, Any]:
    """The rules of that edition, as data."""
    path = library / "rules" / f"{edition}.json"
    if not path.is_file():
        raise RulesRefused(f"There is no rule set {edition}.")
    return dict(json.loads(path.read_text("utf-8")))


def select(facts: Mapping[str, Any], rules: Mapping[str, Any] | None = None) -> Selection:
    """Ask every rule, in order; the same facts and rules give the same answer for ever."""
    rules = ruleset() if rules is None else rules
    trace = tuple(_ask(rule, facts) for rule in rules["rules"])
    chosen = [rule for rule, asked in zip(rules["rules"], trace, strict=True) if asked["result"]]
    if len({rule["paper"] for rule in chosen}) != len(chosen):
        raise RulesRefused(f"Two rules of {rules['edition']} choose the same document.")
    documents = tuple(
        Selected(place, rule["paper"], rule["version"], rule["id"], rule["why"])
        for place, rule in enumerate(chosen, 1)
    )
    ruleset_sha256 = digest(RULES_DOMAIN, rules)
    evidence = {"edition": rules["edition"], "ruleset_sha256": ruleset_sha256, "rules": list(trace)}
    trace_sha256 = digest(TRACE_DOMAIN, evidence)
    return Selection(documents, rules, rules["edition"], ruleset_sha256, trace, trace_sha256)


def schedule_of(product: str, rules: Mapping[str, Any] | None = None) -> str:
    """Name the schedule that the rules bring for a product; empty where it needs none."""
    for rule in (ruleset() if rules is None else rules)["rules"]:
        match rule:
            case {
                "paper": str(document),
                "when": {"fact": "products.key", "value": list(products)},
            }:
                if document.startswith("PS-") and product in products:
                    return document
    return ""


def _ask(rule: Mapping[str, Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    inputs: dict[str, Any] = {}
    result = _holds(rule["when"], facts, inputs)
    return {"rule": rule["id"], "paper": rule["paper"], "inputs": inputs, "result": result}


def _holds(when: Mapping[str, Any], facts: Mapping[str, Any], inputs: dict[str, Any]) -> bool:
    # Every branch is asked, not only the first that decides, so that the trace shows all facts.
    match when:
        case {"always": True}:
            return True
        case {"all": list(parts)}:
            return min([_holds(part, facts, inputs) for part in parts], default=True)
        case {"any": list(parts)}:
            return max([_holds(part, facts, inputs) for part in parts], default=False)
        case {"not": dict(part)}:
            return not _holds(part, facts, inputs)
        case {"fact": str(path), "op": str(name)} if name in OPERATIONS:
            inputs[path] = value = _fact(facts, path)
            return OPERATIONS[name](value, when.get("value"))
    raise RulesRefused(f"A rule asks in a way that is not known: {dict(when)}.")


def _fact(facts: Any, path: str) -> Any:
    for name in path.split("."):
        try:
            facts = [row[name] for row in facts] if isinstance(facts, list) else facts[name]
        except (KeyError, TypeError):
            raise RulesRefused(f"The fact {path} is missing.") from None
    return facts
