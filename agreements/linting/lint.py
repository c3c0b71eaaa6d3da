"""Lint rules that every template version must pass before it can be published.

Each rule yields its problems as sentences for the author.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from jinja2 import TemplateSyntaxError, nodes

from agreements.document_templates import facts_check
from agreements.document_templates.template_library import Template
from agreements.linting.written_page import (
    element_problems,
    heading_problems,
    loop_depth,
    strays,
    table_problems,
    taint,
    used_paths,
)
from agreements.rendering import document_html, numbering, renderer

FORBIDDEN = (
    nodes.Include,
    nodes.ScopedEvalContextModifier,
    nodes.EvalContextModifier,
    nodes.CallBlock,
    nodes.Test,
)
OWN_TEMPLATES = ("paper.html", "parts.html")
DEEPEST_LOOP = 2
ADDRESS = re.compile(r"url\((?!\"asset:[0-9a-f]{64}\"\))|@import|https?://|//[a-z]", re.IGNORECASE)

LintRule = Callable[[Template], Iterator[str]]


def lint(template: Template, rules: "Mapping[str, LintRule] | None" = None) -> list[str]:
    """Return every problem with the version, grouped by rule."""
    problems = []
    for name, rule in (RULES if rules is None else rules).items():
        try:
            problems += [f"{name}: {problem}" for problem in rule(template)]
        except (TemplateSyntaxError, document_html.WritingFailed) as error:
            problems.append(f"{name}: {error}")
    return problems


def names_are_declared(template: Template) -> Iterator[str]:
    """Require that declared facts are used, used facts are declared, and types match the schema."""
    used = set(used_facts(template))
    for path in sorted(used - template.facts.keys()):
        yield f"{path} is used but not declared"
    for path in sorted(template.facts.keys() - used):
        yield f"{path} is declared but not used"
    for path, kind in template.facts.items():
        try:
            if facts_check.kind_name(path) != kind:
                yield f"{path} is {facts_check.kind_name(path)}, not {kind}"
        except facts_check.FactsError as error:
            yield str(error)


def language_is_small(template: Template) -> Iterator[str]:
    """Forbid unescaped output, files from outside, unknown filters and deeply nested loops."""
    for name in ("body.html", *OWN_TEMPLATES):
        tree = _parsed(template, name)
        yield from (f"{name} {problem}" for problem in _language_problems(tree))


def _language_problems(tree: nodes.Template) -> Iterator[str]:
    for found in tree.find_all(FORBIDDEN):
        yield f"line {found.lineno}: {type(found).__name__} is not allowed"
    for link in tree.find_all((nodes.Extends, nodes.FromImport, nodes.Import)):
        if getattr(getattr(link, "template", None), "value", None) not in OWN_TEMPLATES:
            yield f"line {link.lineno}: only {' and '.join(OWN_TEMPLATES)} may be read"
    for used in tree.find_all(nodes.Filter):
        if used.name not in document_html.FILTERS:
            yield f"line {used.lineno}: there is no filter {used.name}"
    if loop_depth(tree) > DEEPEST_LOOP:
        yield f"line 1: loops are more than {DEEPEST_LOOP} deep"


def nothing_is_fetched(template: Template) -> Iterator[str]:
    """Forbid every URL except `asset:<sha256>`."""
    for name, data in template.files.items():
        if name.endswith((".html", ".css")):
            for found in ADDRESS.finditer(data.decode()):
                yield f"{name} holds an address: {found.group()}"


def facts_stay_in_text(template: Template) -> Iterator[str]:
    """Require facts to appear only in text, never in tags or attributes."""
    for name, facts in template.samples.items():
        tainted, markers = taint(facts)
        try:
            root = _page(template, tainted)
        except document_html.WritingFailed as error:
            yield f"{name}: a fact breaks the page: {error}"
            continue
        yield from (f"{name}: {problem}" for problem in strays(root, markers))


def page_is_well_made(template: Template) -> Iterator[str]:
    """Require known elements, ordered headings, table headers, a title and a language."""
    for name, facts in template.samples.items():
        root = _page(template, facts)
        if root.get("lang") != template.schema.language:
            yield f"{name}: the page does not say its language"
        if not (root.findtext("head/title") or "").strip():
            yield f"{name}: the page has no title"
        yield from (f"{name}: {problem}" for problem in element_problems(root))
        yield from (f"{name}: {problem}" for problem in heading_problems(root))
        yield from (f"{name}: {problem}" for problem in table_problems(root))


def clauses_are_listed(template: Template) -> Iterator[str]:
    """Require a unique, stable id for each clause, and that `clauses.json` lists all in order."""
    written = re.findall(r'data-clause="([^"]*)"', template.source("body.html"))
    for key in sorted({key for key in written if not re.fullmatch(r"[a-z]+(\.[a-z]+)?", key)}):
        yield f"{key or 'an empty name'} is not a name for a clause"
    if list(dict.fromkeys(written)) != [clause.id for clause in template.clauses]:
        yield "clauses.json does not list the clauses of the body in order"
    for name, facts in template.samples.items():
        found = numbering.clause_ids(_page(template, facts))
        if stray := set(found) - set(written):
            yield f"{name}: {sorted(stray)} come from outside the body"


def samples_are_complete(template: Template) -> Iterator[str]:
    """Require samples that can all be rendered."""
    found = template.samples
    if not found:
        yield "there is no sample"
    for name, facts in found.items():
        try:
            document_html.compose(template, facts)
        except (facts_check.FactsError, document_html.WritingFailed) as error:
            yield f"{name}: {error}"


def samples_render(template: Template) -> Iterator[str]:
    """Require every sample to render without warnings, complete, and identically twice."""
    for name, facts in template.samples.items():
        try:
            first, second = (renderer.render_template(template, facts) for _ in range(2))
        except (
            facts_check.FactsError,
            document_html.WritingFailed,
            renderer.RenderFailed,
        ) as error:
            yield f"{name}: {error}"
            continue
        if first != second:
            yield f"{name}: rendering it twice gives different bytes"


def used_facts(template: Template) -> set[str]:
    """Return the facts that the body and the shared files use; a group counts as all its facts."""
    sources = (_parsed(template, name) for name in ("body.html", *OWN_TEMPLATES))
    found = {path for tree in sources for path in used_paths(tree)}
    groups = tuple(f"{path}." for path in found)
    return {path for path in found if not path.startswith(groups)}


def _parsed(template: Template, name: str) -> nodes.Template:
    return document_html.environment(template).parse(template.source(name))


def _page(template: Template, facts: Mapping[str, Any]) -> Element:
    return document_html.numbered(template, document_html.fill(template, facts))


WRITING: dict[str, LintRule] = {
    "samples": samples_are_complete,
    "facts": names_are_declared,
    "language": language_is_small,
    "addresses": nothing_is_fetched,
    "taint": facts_stay_in_text,
    "page": page_is_well_made,
    "clauses": clauses_are_listed,
}
RULES: dict[str, LintRule] = {**WRITING, "rendering": samples_render}
