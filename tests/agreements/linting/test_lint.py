"""Every lint rule has a template that breaks it, and our own documents break none."""

from dataclasses import replace

import pytest

from agreements.document_templates import template_library
from agreements.linting import lint
from tests.agreements.document_templates.facts import CROSSING

GOOD = (
    '{% extends "paper.html" %}{% block body %}<section data-clause="one"><h2>One</h2>'
    '<p data-clause="one.a">Pack {{ pack.number }}.</p></section>{% endblock %}'
)
FACTS = {
    "pack.number": "text",
    "supplier.short_name": "text",
    "supplier.legal_name": "text",
    "business.legal_name": "text",
}
CLAUSES = b'[{"id": "one", "title": "One"}, {"id": "one.a", "title": ""}]'
SAMPLE = {
    "pack": {"number": "AGP-1"},
    "supplier": {"short_name": "Us", "legal_name": "Us Limited"},
    "business": {"legal_name": "Them Limited"},
}


def document(body=GOOD, style="", facts=FACTS, samples=SAMPLE, clauses=CLAUSES):
    """Return a small valid document with one change."""
    base = template_library.read("ERC")
    files = {
        **base.files,
        "body.html": body.encode(),
        "style.css": style.encode(),
        "clauses.json": clauses,
    }
    named = {"sample": samples} if samples else {}
    return replace(base, files=files, schema=replace(base.schema, facts=facts), samples=named)


def said(template, rule):
    return " ".join(lint.lint(template, {rule: lint.RULES[rule]}))


def inside(text):
    return GOOD.replace("</section>", f"{text}</section>")


def test_a_good_document_breaks_no_rule():
    assert lint.lint(document()) == []


@pytest.mark.parametrize("code", template_library.codes())
def test_our_own_documents_break_no_rule_of_writing(code):
    assert lint.lint(template_library.load(code), lint.WRITING) == []


def test_a_document_needs_samples():
    assert "there is no sample" in said(document(samples=None), "samples")


def test_a_sample_must_be_complete():
    lacking = document(samples={**SAMPLE, "business": {}})
    assert "business.legal_name is missing" in said(lacking, "samples")


def test_a_fact_that_is_used_must_be_declared():
    assert "tier is used but not declared" in said(document(inside("{{ tier }}")), "facts")


def test_a_fact_that_is_declared_must_be_used():
    declared = {**FACTS, "tier": "one of LOW, MEDIUM, HIGH"}
    assert "tier is declared but not used" in said(document(facts=declared), "facts")


def test_a_fact_has_the_kind_that_the_contract_gives_it():
    assert "pack.number is text, not amount" in said(
        document(facts={**FACTS, "pack.number": "amount"}), "facts"
    )
    assert "not a fact that documents know" in said(
        document(facts={**FACTS, "pack.colour": "text"}), "facts"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{% autoescape false %}{{ pack.number }}{% endautoescape %}", "is not allowed"),
        ('{% include "other.html" %}', "Include is not allowed"),
        ('{% import "other.html" as x %}', "may be read"),
        ('{% from "other.html" import x %}', "may be read"),
        ("{{ pack.number | safe }}", "safe"),
        ("{{ pack.number | upper }}", "upper"),
        ("{% if pack.number is defined %}x{% endif %}", "is not allowed|No test named"),
        ("{% for a in pack %}" * 3 + "{% endfor %}" * 3, "loops are more than 2 deep"),
    ],
)
def test_the_language_of_wordings_is_small(text, says):
    problems = said(document(inside(text)), "language")
    assert any(one in problems for one in says.split("|")), problems


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ('<a href="https://example.com">x</a>', ""),
        ("", "p { background: url(http://127.0.0.1/x) }"),
        ("", "p { background: url(//127.0.0.1/x) }"),
        ("", '@import "other.css";'),
        ("", 'p { background: url("asset:short") }'),
    ],
)
def test_wordings_hold_no_address(text, style):
    assert "holds an address" in said(document(inside(text), style), "addresses")


@pytest.mark.parametrize(
    "text",
    [
        '<p style="color: {{ business.legal_name }}">x</p>',
        '<a href="#{{ business.legal_name }}">x</a>',
        '<p class="{{ business.legal_name }}">x</p>',
        "<style>p::before { content: '{{ business.legal_name }}' }</style>",
    ],
)
def test_facts_stand_only_in_text(text):
    assert "a fact stands in" in said(document(inside(text)), "taint")


def test_a_fact_may_not_become_a_tag():
    assert "a fact breaks the page" in said(
        document(inside("<p {{ business.legal_name }}>x</p>")), "taint"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<iframe></iframe>", "<iframe> is not an element of documents"),
        ("<script></script>", "<script> is not an element of documents"),
        ('<p style="color: red">x</p>', "<p style> is not allowed"),
        ('<p onclick="x">x</p>', "<p onclick> is not allowed"),
        ("<h1>Again</h1>", "needs one h1"),
        ("<table><tbody><tr><td>x</td></tr></tbody></table>", "a table has no headers"),
        ("<table><tbody><tr><th>x</th></tr></tbody></table>", "does not say whether it heads"),
        ('<table><tbody><tr><th scope="row"></th></tr></tbody></table>', "a header is empty"),
        ('<a href="mailto:x">x</a>', "a link leads out of the document"),
    ],
)
def test_pages_are_well_made(text, says):
    assert says in said(document(inside(text)), "page")


def test_headings_leave_out_no_level():
    body = GOOD.replace("<h2>One</h2>", "<h2>One</h2>").replace(
        '<section data-clause="one">', '<h3>Too deep</h3><section data-clause="one">'
    )
    assert "leaves out a level" in said(document(body), "page")


def test_a_page_has_a_title_and_its_language():
    bare = GOOD.replace('{% extends "paper.html" %}', "")
    body = f"<html><head></head><body><h1>x</h1>{bare}</body></html>"
    problems = said(document(body), "page")
    assert "does not say its language" in problems
    assert "has no title" in problems


def test_clauses_have_good_names_and_are_listed():
    assert "does not list the clauses" in said(document(clauses=b"[]"), "clauses")
    renamed = document(GOOD.replace('"one.a"', '"One A"'))
    assert "One A is not a name for a clause" in said(renamed, "clauses")


def test_a_wording_that_cannot_be_read_is_a_problem_not_a_crash():
    assert "facts: " in said(document(inside("{% if %}")), "facts")
    assert "page: " in said(document(inside("<p>open")), "page")


def test_a_document_must_render_without_complaint():
    assert "Ignored" in said(document(style="p { colour: red }"), "rendering")


def test_facts_in_use_are_found_through_loops_and_parts():
    used = lint.used_facts(template_library.read("FEE"))
    assert {"fees.rows", "fees.currency", "pack.number"} <= used
    assert "row" not in used
    assert lint.used_facts(template_library.read("MSA")) >= {
        "licensing.licences",
        "business.address",
    }
    assert CROSSING["licensing"]["licences"]
