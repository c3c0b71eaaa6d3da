"""Documents are typeset for reading: on the accept page, for staff, and on paper."""

import subprocess

import pytest
from django.urls import reverse

from agreements.lifecycle import PackStatus
from agreements.packs import packs
from tests import factories
from tests.browser_runs.commits import committed

pytestmark = [pytest.mark.browser, pytest.mark.check]
# Styles of the article, its title and its paragraphs; 20 px is the size of headings in the body.
LOOK = """() => {
  const article = document.querySelector("main article");
  const style = at => getComputedStyle(article.querySelector(at));
  const wide = [...article.querySelectorAll("section p")].map(p => p.clientWidth);
  return {
    padding: parseFloat(getComputedStyle(article).paddingInlineStart),
    leading: parseFloat(style("section p").lineHeight) / parseFloat(style("section p").fontSize),
    title: parseFloat(style("h2").fontSize),
    heading: parseFloat(style("h3").fontSize),
    gap: parseFloat(style("section").marginBlockStart),
    widest: Math.max(...wide),
  };
}"""


@pytest.fixture(scope="module")
def document(world, django_db_blocker):
    with django_db_blocker.unblock():
        pack = committed(factories.a_pack, PackStatus.IN_REVIEW)
        return packs.documents_of(pack)[1]


@pytest.mark.parametrize("name", ["agreements:document", "agreements:case_document"])
@pytest.mark.parametrize("width", [1440, 390])
def test_a_document_is_set_for_reading(world, at, document, name, width):
    pack = document.revision.pack
    if name == "agreements:document":
        reader, of = factories.owner_of(pack.business), pack.business
    else:
        reader, of = world.people["legal"], pack.application
    page = at(reader).go(reverse(name, args=[of.public_id, document.public_id]))
    page.set_viewport_size({"width": width, "height": 900})
    assert page.get_by_role("button", name="I have read this").count() == (of == pack.business)

    look = page.evaluate(LOOK)
    assert look["padding"] >= 16
    assert look["leading"] == pytest.approx(1.6)
    assert look["title"] == 26
    assert look["heading"] == 16
    assert look["gap"] >= 24
    assert look["widest"] <= 700
    page.emulate_media(media="print")
    assert page.evaluate(LOOK)["padding"] == 0
    page.emulate_media(media="screen")


def test_a_printed_document_begins_on_the_first_sheet(at, document):
    business = document.revision.pack.business
    path = reverse("agreements:document", args=[business.public_id, document.public_id])
    pdf = at(factories.owner_of(business)).go(path).pdf(prefer_css_page_size=True)
    words = subprocess.run(["pdftotext", "-l", "1", "-", "-"], input=pdf, capture_output=True)
    assert b"1.1" in words.stdout
