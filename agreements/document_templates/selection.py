"""Choose a pack's documents by applying rules to frozen facts, and record how each rule matched.

The rules are data, one file for each versioned edition. Documents follow the order of the rules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any

from django.utils.translation import gettext_noop
from pydantic import Field
from pydantic.dataclasses import dataclass as typed

from agreements.document_templates.template_library import LIBRARY
from console.publishing.conditions import ConditionMember, Leaf
from console.publishing.files import STRICT, JsonFiles, VersionedFile

RULES_DOMAIN = "agr.ruleset.v1"
TRACE_DOMAIN = "agr.trace.v1"


class RulesRefused(Exception):
    """Raised when the rule set or the facts cannot be used; the message says where."""


@typed(frozen=True, config=STRICT, kw_only=True)
class SelectionRule:
    """A condition, and the document (`paper` in the files) that it adds to the pack.

    The version of its template is the one in use when the pack is opened. Editions before
    2026-11.3 name a version, which counts only for packs that were opened with those rules.
    """

    id: str
    code: str = Field(alias="paper")
    template_version: str = Field(alias="version", default="")
    why: str
    when: ConditionMember


@typed(frozen=True, config=STRICT, kw_only=True)
class Ruleset(VersionedFile):
    """An immutable edition of the rules. A pack's trace names it by its hash."""

    version: str = Field(alias="edition")
    rules: tuple[SelectionRule, ...]


def _faults(ruleset: Ruleset) -> Iterator[str]:
    for rule_id, count in Counter(rule.id for rule in ruleset.rules).items():
        if count > 1:
            yield f"{rule_id} is the id of {count} rules."


RULESETS = JsonFiles(
    "ruleset",
    gettext_noop("Choice of documents"),
    RULES_DOMAIN,
    Ruleset,
    LIBRARY / "rules",
    faults=_faults,
)


@dataclass(frozen=True)
class Selection:
    """The rules that chose the documents, in order, with the evidence for the choice."""

    documents: tuple[SelectionRule, ...]
    ruleset: Ruleset
    trace: tuple[dict[str, Any], ...]

    @property
    def evidence(self) -> dict[str, Any]:
        """Every rule with its inputs and its result."""
        return {
            "edition": self.ruleset.version,
            "ruleset_sha256": self.ruleset.sha256,
            "rules": list(self.trace),
        }


def select(facts: Mapping[str, Any], ruleset: Ruleset) -> Selection:
    """Return the documents chosen by the rules. The result depends only on the arguments."""
    trace = tuple(_ask(rule, facts) for rule in ruleset.rules)
    chosen = tuple(compress(ruleset.rules, (asked["result"] for asked in trace)))
    if len({rule.code for rule in chosen}) != len(chosen):
        raise RulesRefused(f"Two rules of {ruleset.version} choose the same document.")
    return Selection(chosen, ruleset, trace)


def schedule_of(product: str, ruleset: Ruleset) -> str:
    """Return the schedule that the rules add for a product, or "" if it needs none."""
    for rule in ruleset.rules:
        match rule.when:
            case Leaf("products.key", "intersects", products):
                if rule.code.startswith("PS-") and product in products:
                    return rule.code
    return ""


def _ask(rule: SelectionRule, facts: Mapping[str, Any]) -> dict[str, Any]:
    # Read every fact, even when an earlier one decides, because the trace records all of them.
    inputs = {leaf.field: _fact(facts, leaf.field) for leaf in rule.when.leaves()}
    result = rule.when.holds(inputs)
    return {"rule": rule.id, "paper": rule.code, "inputs": inputs, "result": result}


def _fact(facts: Any, path: str) -> Any:
    for name in path.split("."):
        try:
            facts = [row[name] for row in facts] if isinstance(facts, list) else facts[name]
        except (KeyError, TypeError):
            raise RulesRefused(f"The fact {path} is missing.") from None
    return facts
