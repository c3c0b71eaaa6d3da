"""A name in its own script: rendered, found in the PDF, and in the right direction."""

import pytest

from agreements.document_templates import document_fonts, template_library
from agreements.rendering import document_html, renderer
from agreements.rendering.renderer import RenderFailed
from agreements.signing import text_view
from tests.agreements.document_templates.facts import KIOSK, facts
from tests.agreements.rendering import pdf
from tests.agreements.rendering.pdf import words
from tests.agreements.rendering.scripts import MORE, NAMES, UNSET


def told(name):
    return facts(KIOSK) | {"business": facts(KIOSK)["business"] | {"legal_name": name}}


def rendered(name, code="ERC", version=""):
    return renderer.render(template_library.load(code, version).reference, told(name))


# One script per way of shaping; `make check` renders the others too.
SHAPED = ("Han", "Arabic", "Devanagari", "Khmer", "Cyrillic", "Vietnamese", "Igbo", "Yoruba")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, id=script, marks=[] if script in SHAPED else [pytest.mark.check])
        for script, name in (NAMES | MORE).items()
    ],
)
def test_a_name_is_found_in_the_document_that_states_it(name):
    assert document_fonts.unprintable(name) == ""
    assert name in words(rendered(name).pdf)


def test_a_script_that_no_typeface_holds_is_known_before_and_refused():
    assert set(document_fonts.unprintable(UNSET)) == set(UNSET) - {" "}
    with pytest.raises(RenderFailed, match="notdef"):
        rendered(UNSET)


def test_a_document_is_given_the_typefaces_of_its_letters_and_no_other():
    faces = template_library.faces()
    families = {one["family"] for one in document_fonts.FACE.finditer(faces)}

    def needed(text):
        return {
            one["family"]
            for one in document_fonts.FACE.finditer(document_fonts.needed(faces, text))
        }

    assert needed("Kettle & Kiosk Ltd, 14 Quay Lane: Łódź, Αθήνα") == {"Paper"}
    assert needed(f"Kettle {NAMES['Han']}") == {"Paper", "Paper CJK"}
    assert needed(NAMES["Arabic"]) == {"Paper", "Paper Arabic"}
    assert needed(" ".join([*NAMES.values(), *MORE.values()])) == families


def test_every_typeface_of_the_style_stands_in_the_lock():
    template = template_library.load("ERC", "1.1.0")
    named = {one["sha256"] for one in document_fonts.FACE.finditer(template_library.faces())}
    assert named == set(document_fonts.by_sha256())
    assert all(f'"{sha256}"'.encode() in template.lock for sha256 in named)


def test_the_same_name_gives_the_same_bytes():
    assert rendered(NAMES["Arabic"]) == rendered(NAMES["Arabic"])


def test_a_latin_document_embeds_the_latin_typeface_alone():
    assert set(pdf.fonts(rendered("Kettle & Kiosk Ltd").pdf)) == {"Paper", "Paper-Semi-Bold"}


@pytest.mark.parametrize("script", ["Arabic", "Hebrew", "Persian"])
def test_a_name_from_right_to_left_does_not_turn_the_words_around_it(script):
    name = (NAMES | MORE)[script]
    html = document_html.compose(template_library.load("MSA"), told(name))

    assert html.count(name.encode()) == html.count(f'<bdi dir="rtl">{name}</bdi>'.encode()) > 0
    assert f'<bdi dir="rtl">{name}</bdi>' in text_view.text_view(html)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("חברת ABC בע״מ", "בע״מ ABC חברת"),
        ("شركة ABC 2024 المحدودة", "المحدودة ABC 2024 شركة"),
        ("שלום Co בע״מ", "בע״מ Co שלום"),
        ("زيت موبيلوب SHC 90W75", "SHC 90W75 موبيلوب زيت"),  # DavBfr/dart_pdf 739
        ("ABC חברה בע״מ", "ABC בע״מ חברה"),
        ("Ltd שלום (חברת ABC בע״מ)", "Ltd שלום בע״מ ABC חברת"),
    ],
)
def test_the_words_of_a_mixed_name_are_seen_in_the_order_of_a_browser(name, seen):
    assert pdf.from_left(rendered(name).pdf, *seen.split()) == seen.split()


def test_a_name_from_left_to_right_is_written_as_before():
    assert b"<bdi" not in document_html.compose(template_library.load("MSA"), told(NAMES["Han"]))


def test_a_hostile_name_from_right_to_left_stays_text():
    html = document_html.compose(template_library.load("ERC"), told("<b>א&ב</b>")).decode()
    assert '<bdi dir="ltr">&lt;b&gt;א&amp;ב&lt;/b&gt;</bdi>' in html


def test_names_in_a_list_are_kept_apart():
    assert document_html.listed(["א", "ב", "c<"]) == (
        '<bdi dir="rtl">א</bdi>, <bdi dir="rtl">ב</bdi> and c&lt;'
    )
