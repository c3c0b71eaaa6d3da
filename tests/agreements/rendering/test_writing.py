"""A template and facts become HTML: escaped, numbered and deterministic."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from agreements.document_templates import selection, template_library
from agreements.document_templates.facts_check import FactsError
from agreements.rendering import document_html
from agreements.rendering.document_html import WritingFailed
from agreements.signing import text_view
from console.core.digests import sha256_hex
from console.core.money import grouped
from tests.agreements.document_templates.facts import CROSSING, KIOSK, facts

GOLDEN = Path(__file__).parent / "golden.json"
HOSTILE = [
    "<script>alert(1)</script> Ltd",
    '"><img src="http://169.254.169.254/latest">',
    "{{ supplier.legal_name }} {% include 'x' %}",
    "url(http://internal.example/x)",
    "</style><style>@import 'http://x'</style>",
    "&lt;b&gt; & Sons &#x26; Co",
    "file:///etc/passwd <link rel=attachment href=file:///etc/passwd>",
]


DECLARED = {
    "pack.number": "text",
    "supplier.short_name": "text",
    "supplier.legal_name": "text",
    "business.legal_name": "text",
}


def composed(body, of=CROSSING):
    """Return a document with that body, as an author has it before review."""
    base = template_library.read("ERC")
    wording = (
        '{% extends "paper.html" %}{% block body %}<section data-clause="one"><h2>One</h2>'
        f"{body}</section>{{% endblock %}}"
    )
    files = {**base.files, "body.html": wording.encode()}
    template = replace(base, files=files, schema=replace(base.schema, facts=DECLARED))
    return document_html.compose(template, of).decode()


def test_hostile_names_are_only_words():
    for name in HOSTILE:
        wrong = facts()
        wrong["business"]["legal_name"] = name
        html = document_html.compose(template_library.load("MSA"), wrong)
        assert name in "".join(re.findall(r">([^<]*)<", html.decode())).replace(
            "&lt;", "<"
        ).replace("&gt;", ">").replace("&amp;", "&")
        assert b"<script" not in html
        assert b"<img" not in html
        assert b"<link" not in html


def test_a_fact_that_was_not_declared_cannot_be_used():
    with pytest.raises(WritingFailed, match="'tier' is undefined"):
        composed("<p>{{ tier }}</p>")


def test_a_mistyped_member_is_an_error():
    with pytest.raises(WritingFailed, match="legal_nane"):
        composed("<p>{{ business.legal_nane }}</p>")


def test_a_declared_fact_must_be_there_and_be_right():
    lacking = facts()
    del lacking["pack"]["number"]
    with pytest.raises(FactsError, match=r"pack\.number is missing"):
        composed("", of=lacking)


@pytest.mark.parametrize(
    "attack",
    [
        "{{ business.legal_name.__class__.__mro__ }}",
        "{{ business.__init__.__globals__ }}",
        "{{ '{0.__class__}'.format(pack) }}",
        "{{ pack.update({'number': 'x'}) }}",
        "{{ self.__init__ }}",
        "{{ range(10) }}",
        "{{ cycler }}",
    ],
)
def test_the_sandbox_holds(attack):
    with pytest.raises(WritingFailed):
        composed(f"<p>{attack}</p>")


def test_a_page_that_is_not_well_formed_is_refused():
    with pytest.raises(WritingFailed, match="mismatched tag"):
        composed("<p>open")


def test_clauses_are_numbered_and_pointers_become_words():
    html = composed(
        '<p data-clause="one.a">First.</p><p data-clause="one.b">See <ref to="one.a"/>.</p>'
        "<ol><li>x</li><li>y<ol><li>z</li></ol></li></ol>"
    )
    assert '<span class="number">1. </span>One' in html
    assert '<span class="number">1.1 </span>First.' in html
    assert '<a href="#one.a">clause\u00a01.1</a>' in html
    assert "(b) </span>y" in html
    assert "(i) </span>z" in html


def test_a_pointer_that_leads_nowhere_is_refused():
    with pytest.raises(WritingFailed, match="leads to nowhere"):
        composed('<p><ref to="nowhere"/></p>')


def test_two_clauses_may_not_share_a_name():
    with pytest.raises(WritingFailed, match=r"Two clauses are called one\.a"):
        composed('<p data-clause="one.a">x</p><p data-clause="one.a">y</p>')


def test_a_section_needs_a_heading():
    with pytest.raises(WritingFailed, match="no heading"):
        composed('</section><section data-clause="two"><p>x</p>')


def test_a_fact_that_a_document_does_not_use_does_not_change_it():
    other = facts()
    other["volumes"]["monthly_value"] = "1.00"
    other["pack"]["offered_on"] = "2026-12-01"
    sandbox, cover = template_library.load("SBX"), template_library.load("CVR")
    assert document_html.compose(sandbox, other) == document_html.compose(sandbox, facts())
    index: dict[str, list[str]] = {"index": []}
    assert document_html.compose(cover, {**other, **index}) != document_html.compose(
        cover, {**facts(), **index}
    )


def test_days_amounts_and_lists_are_written_as_people_write_them():
    assert document_html.day("2026-03-01") == "1 March 2026"
    assert grouped("1250000.00") == "1,250,000.00"
    assert grouped("7") == "7"
    assert document_html.listed(["a", "b", "c"]) == "a, b and c"
    assert document_html.listed(["a"]) == "a"


@pytest.mark.parametrize("edition", selection.RULESETS.versions())
@pytest.mark.parametrize(("name", "of"), [("kiosk", KIOSK), ("crossing", CROSSING)])
def test_two_packs_are_written_as_they_were_reviewed(name, of, edition):
    written = {}
    for document in selection.select(of, selection.RULESETS.load(edition)).documents:
        template = template_library.load(document.code, document.template_version)
        written[template.short_reference] = sha256_hex(
            document_html.compose(template, {**of, "index": []})
        )
    golden = json.loads(GOLDEN.read_text())
    assert written.items() <= golden[name].items(), (
        "Review the difference, then write the new hashes down."
    )


def test_reading_without_a_pdf_shows_the_same_words():
    for template in map(template_library.load, template_library.codes()):
        for sample in template.samples.values():
            html = document_html.compose(template, sample)
            shown = re.sub(r"<[^>]+>", "", text_view.text_view(html))
            wording = re.sub(r"<p class=\"(house|code)\">.*?</p>", "", html.decode())
            wording = re.sub(r"<[^>]+>", "", wording[wording.index("<body>") :])
            assert unescape(shown).split() == unescape(wording).split()


def test_reading_without_a_pdf_never_shows_a_foreign_tag():
    html = b"""<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body>
    <h1>Title</h1><p onclick="x()" style="color:red" data-clause="a.b">Text &lt;b&gt;
    <a href="https://x.example">away</a> <a href="#a.b">here</a><img src="x"><script>1</script>
    </p></body></html>"""
    shown = text_view.text_view(html)
    assert "<h2>Title</h2>" in shown
    assert '<p id="c-a.b" data-clause="a.b">Text &lt;b&gt;' in shown
    assert "<a>away</a>" in shown
    assert '<a href="#c-a.b">here</a>' in shown
    for foreign in ("<img", "<script", "onclick", "style", "<title", "p{}"):
        assert foreign not in shown


def test_the_outline_has_every_headed_clause():
    template = template_library.load("MSA")
    found = text_view.outline(document_html.compose(template, CROSSING))
    assert found[0] == text_view.Clause("parties", "1", "The parties")
    assert [one.key for one in found] == [one.id for one in template.clauses if one.title]
