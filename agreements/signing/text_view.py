"""A document as a safe HTML fragment and an outline, for reading without a PDF reader.

Both are built from the HTML that was signed, using an allowlist of tags, so that nothing in it can
run on the page.
"""

from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

SAME = {"section", "div", "p", "ol", "ul", "li", "strong", "span", "bdi", "a", "br"}
TABLE = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
# Tag replacements, because the page has its own heading.
SHOWN = {
    **{tag: tag for tag in SAME | TABLE},
    "h1": "h2",
    "h2": "h3",
    "h3": "h4",
}
KEPT = {"a": ("href",), "th": ("scope",), "bdi": ("dir",)}
CLASSES = frozenset({"amount", "number", "particulars", "wording", "between"})
LEFT_OUT = frozenset({"house", "code"})
VOID = frozenset({"br"})


@dataclass(frozen=True)
class Clause:
    """A clause of the outline: its id, number and heading."""

    key: str
    number: str
    heading: str


def text_view(html: bytes) -> str:
    """Return the document as an HTML fragment that is safe to insert in a page."""
    reader = _Fragment()
    reader.feed(html.decode())
    reader.close()
    return "".join(reader.written)


def outline(html: bytes) -> list[Clause]:
    """Return the clauses with a heading, in order."""
    reader = _Headings()
    reader.feed(html.decode())
    reader.close()
    return [_clause(key, words) for key, words in reader.found]


class _Fragment(HTMLParser):
    """Rewrites the body with known tags, known attributes and escaped text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.written: list[str] = []
        self._in_body = False
        self._skipping = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in_body = self._in_body or tag == "body"
        if given.get("class") in LEFT_OUT and not self._skipping:
            self._skipping = tag
        if self._in_body and not self._skipping and tag in SHOWN:
            self.written.append(f"<{SHOWN[tag]}{_attributes(tag, given)}>")

    def handle_endtag(self, tag: str) -> None:
        if self._skipping:
            self._skipping = "" if tag == self._skipping else self._skipping
        elif self._in_body and tag in SHOWN and tag not in VOID:
            self.written.append(f"</{SHOWN[tag]}>")

    def handle_data(self, data: str) -> None:
        if self._in_body and not self._skipping:
            self.written.append(escape(data))


def _attributes(tag: str, given: dict[str, str]) -> str:
    kept = {name: given[name] for name in KEPT.get(tag, ()) if name in given}
    if tag == "a":
        kept = {"href": f"#c-{given['href'][1:]}"} if given.get("href", "").startswith("#") else {}
    if key := given.get("data-clause"):
        kept |= {"id": f"c-{key}", "data-clause": key}
    if given.get("class") in CLASSES:
        kept["class"] = given["class"]
    return "".join(f' {name}="{escape(value)}"' for name, value in kept.items())


class _Headings(HTMLParser):
    """Collects the words in the heading of every section."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, list[str]]] = []
        self._in_heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section" and (key := dict(attrs).get("data-clause")):
            self.found.append((key, []))
            self._in_heading = True

    def handle_endtag(self, tag: str) -> None:
        self._in_heading = self._in_heading and tag != "h2"

    def handle_data(self, data: str) -> None:
        if self._in_heading:
            self.found[-1][1].append(data)


def _clause(key: str, words: list[str]) -> Clause:
    number, _, heading = " ".join("".join(words).split()).partition(" ")
    return Clause(key, number.rstrip("."), heading)
