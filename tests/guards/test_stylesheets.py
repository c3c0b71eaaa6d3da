"""Every class used in a page has a CSS rule, and every CSS class is used in a page.

The tests in `tests/browser_runs` find classes whose rule is in another page's stylesheet.
"""

import re
from collections.abc import Iterable

import tinycss2
from tinycss2.ast import Node

from agreements.signing import text_view
from tests.guards.tree import ROOT, files

FOLDERS = ("templates", "static", "console", "onboarding", "agreements", "apikeys", "api")
# Frozen with their documents, and used only by the PDF renderer.
DOCUMENTS = ("agreements/document_templates/library", "agreements/sealing/evidence")
TAG = re.compile(r"\{[%{].*?[%}]\}|\{\}", re.DOTALL)
# Places that name a class: attributes, component tags, template blocks, widgets and scripts.
NAMED = (
    re.compile(r'(?<![\w-])class="((?:\{[%{].*?[%}]\}|[^"])*)"', re.DOTALL),
    re.compile(r'\blook="([^"]*)"'),
    re.compile(r"\{% block (?:bodyclass|layout) %\}(.*?)\{% endblock"),
    re.compile(r'"class": "([\w -]*)"'),
    re.compile(r'\bsvgclass="([^"]*)"'),
    re.compile(r'\bclassName = "([^"]*)"'),
)


def with_rules(sheet: str) -> set[str]:
    """Return the classes in a stylesheet's selectors."""
    return _classes(tinycss2.parse_component_value_list(sheet))


def _classes(nodes: Iterable[Node]) -> set[str]:
    found, dot = set(), False
    for node in nodes:
        if dot and node.type == "ident":
            found.add(node.value)
        dot = node == "."
        inside = node.arguments if node.type == "function" else getattr(node, "content", [])
        found |= _classes(inside or [])
    return found


def named(text: str) -> set[str]:
    """Return the classes that a template, module or script names, under any condition."""
    found = (words for pattern in NAMED for words in pattern.findall(text))
    return {name for words in found for name in TAG.sub(" ", words).split()}


def texts(*suffixes: str) -> list[str]:
    paths = (path.relative_to(ROOT) for path in files() if path.suffix in suffixes)
    return [
        (ROOT / path).read_text()
        for path in paths
        if path.parts[0] in FOLDERS and not str(path).startswith(DOCUMENTS)
    ]


RULES = set().union(*map(with_rules, texts(".css")))
CLASSES = text_view.CLASSES.union(*map(named, texts(".html", ".py", ".js")))


def test_every_class_has_a_rule():
    assert sorted(CLASSES - RULES) == []


def test_every_rule_has_a_page():
    assert sorted(RULES - CLASSES) == []
