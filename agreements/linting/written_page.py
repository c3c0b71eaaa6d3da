"""Checks on a rendered HTML page, and the markers that replace facts in it."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, get_args, get_origin, is_typeddict
from xml.etree.ElementTree import Element

from jinja2 import nodes

from agreements.document_templates.facts_schema import DocumentFacts
from onboarding.questionnaire import fact_sources

ELEMENTS = frozenset(
    {"html", "head", "title", "meta", "body", "header", "main", "section", "div"}
    | {"h1", "h2", "h3", "p", "ol", "ul", "li", "strong", "span", "bdi", "br", "a"}
    | {"table", "caption", "thead", "tbody", "tr", "th", "td"}
)
ATTRIBUTES: dict[str, set[str]] = {
    "html": {"lang"},
    "meta": {"name", "content"},
    "section": {"data-clause", "id"},
    "p": {"data-clause", "id"},
    "div": {"data-clause", "id"},
    "th": {"scope"},
    "a": {"href"},
}
HEADINGS = ("h1", "h2", "h3")


def element_problems(root: Element) -> Iterator[str]:
    """Return elements and attributes that are not on the allowlist."""
    for element in root.iter():
        if element.tag not in ELEMENTS:
            yield f"<{element.tag}> is not an element of documents"
        for name in set(element.keys()) - ATTRIBUTES.get(element.tag, set()) - {"class"}:
            yield f"<{element.tag} {name}> is not allowed"
        if element.tag == "a" and not element.get("href", "").startswith("#"):
            yield "a link leads out of the document"


def heading_problems(root: Element) -> Iterator[str]:
    """Require one h1, first, and no skipped heading levels."""
    levels = [HEADINGS.index(element.tag) for element in root.iter() if element.tag in HEADINGS]
    if levels.count(0) != 1 or levels[:1] != [0]:
        yield "the page needs one h1, before every other heading"
    if any(later > earlier + 1 for earlier, later in pairwise(levels)):
        yield "a heading leaves out a level"


def table_problems(root: Element) -> Iterator[str]:
    """Require every table to have headers with a scope, and text in every column."""
    for table in root.iter("table"):
        headers = list(table.iter("th"))
        if not headers:
            yield "a table has no headers"
        if any(header.get("scope") not in ("col", "row") for header in headers):
            yield "a header does not say whether it heads a row or a column"
        if any(not "".join(header.itertext()).strip() for header in headers):
            yield "a header is empty"


def taint(facts: Mapping[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return a copy of the facts with a marker for every free text, and the markers."""
    markers: set[str] = set()
    return _tainted(facts, DocumentFacts, markers), markers


def _tainted(value: Any, kind: Any, markers: set[str]) -> Any:
    if is_typeddict(kind):
        kinds = fact_sources.kinds(kind)
        return {name: _tainted(value[name], kinds[name], markers) for name in value}
    if get_origin(kind) is list:
        return [_tainted(item, get_args(kind)[0], markers) for item in value]
    free = get_origin(kind) is Annotated and kind.__metadata__[0] in ("text", "maybe")
    if not free or not value or get_origin(kind) is Literal:
        return value
    markers.add(marker := f"Tq{len(markers):04d}qT")
    return marker


def strays(root: Element, markers: set[str]) -> Iterator[str]:
    """Return markers found anywhere except in text between tags."""
    for element in root.iter():
        for name, value in element.items():
            if any(marker in value for marker in markers):
                yield f"a fact stands in <{element.tag} {name}>"
        if element.tag in ("style", "script") and any(m in (element.text or "") for m in markers):
            yield f"a fact stands in <{element.tag}>"


def used_paths(tree: nodes.Template) -> Iterator[str]:
    """Return the dotted names of the facts that a source uses, except names it sets itself."""
    own = {name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"}
    own |= {item.name for item in tree.find_all(nodes.Macro)} | {"paper", "loop"}
    for imported in tree.find_all(nodes.FromImport):
        own |= {name if isinstance(name, str) else name[1] for name in imported.names}
    for node, depth in _chains(tree):
        name = _dotted(node)
        if name and name.split(".")[0] not in own and depth == 0:
            yield name


def _chains(node: nodes.Node, depth: int = 0) -> Iterator[tuple[nodes.Node, int]]:
    if isinstance(node, nodes.Getattr | nodes.Name):
        yield node, depth
        depth += 1
    for child in node.iter_child_nodes():
        yield from _chains(child, depth if isinstance(node, nodes.Getattr) else 0)


def _dotted(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr) and (start := _dotted(node.node)):
        return f"{start}.{node.attr}"
    return ""


def loop_depth(node: nodes.Node) -> int:
    """Return how deeply loops are nested."""
    deepest = max((loop_depth(child) for child in node.iter_child_nodes()), default=0)
    return deepest + isinstance(node, nodes.For)
