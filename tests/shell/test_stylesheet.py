"""The stylesheet stays within its size budget and defines raw colours in one place."""

import re
from pathlib import Path

from django.conf import settings
from django.urls import reverse

CSS = settings.ROOT / "static" / "css"
JS = settings.ROOT / "static" / "js"
TEMPLATES = settings.ROOT / "templates"
RAW = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl|oklch|oklab)\(")
MOST_CSS, MOST_JS = 43 * 1024, 24 * 1024


def without_notes(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def raw_colours(text: str) -> list[str]:
    # An ID at the start of a selector is not a colour.
    return RAW.findall(re.sub(r"(^|[\s,}])#[a-z-]+(?=[\s.:{,>])", " ", without_notes(text)))


def weight(names: set[str]) -> int:
    shared = [path for path in CSS.rglob("*.css") if path.parent.name != "pages"]
    own = [path for path in (CSS / "pages").glob("*.css") if path.stem in names]
    return sum(path.stat().st_size for path in shared + own)


def pages() -> list[Path]:
    return [page for page in TEMPLATES.rglob("*.html") if "{% extends" in page.read_text()]


def test_no_page_loads_more_style_than_it_may():
    for page in pages():
        asked_for = set(re.findall(r'{% sheet "(\w+)" %}', page.read_text()))
        assert weight(asked_for | {page.parent.name}) <= MOST_CSS, page


def test_every_sheet_of_a_page_is_asked_for():
    asked_for = {
        name for page in pages() for name in re.findall(r'{% sheet "(\w+)" %}', page.read_text())
    }
    packages = {page.parent.name for page in pages()}
    assert {path.stem for path in (CSS / "pages").glob("*.css")} <= asked_for | packages


def test_our_scripts_are_small():
    assert sum(path.stat().st_size for path in JS.rglob("*.js")) <= MOST_JS


def test_only_the_tokens_are_raw():
    for path in CSS.rglob("*.css"):
        text = path.read_text()
        if path.name == "base.css":
            tokens, text = text.split("@layer base {")
            assert raw_colours(tokens)
        assert raw_colours(text) == [], path.name


def test_no_sheet_waits_for_another():
    assert not any("@import" in path.read_text() for path in CSS.rglob("*.css"))


def test_a_package_gets_its_own_sheet_and_no_other(client):
    page = client.get(reverse("accounts:sign_in")).text

    assert "css/pages/accounts.css" in page
    assert "css/pages/onboarding.css" not in page


def test_no_script_reaches_into_a_page_by_evaluation():
    for path in JS.rglob("*.js"):
        text = path.read_text()
        assert "eval(" not in text
        assert "new Function" not in text
        assert ".style." not in text
