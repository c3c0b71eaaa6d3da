"""Render HTML and style sheets to a tagged PDF, or fail.

Any warning of the renderer is a failure, only our own typefaces can be fetched, and every word of
the HTML must be on a page. Only the render process imports this module.
"""

import base64
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pydyf
import weasyprint.pdf
from weasyprint import CSS, HTML, Attachment
from weasyprint.document import Document
from weasyprint.formatting_structure import boxes
from weasyprint.pdf.stream import Stream
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from agreements.document_templates import document_fonts
from console.core.text import reads_leftward

OPTIONS: dict[str, Any] = {"pdf_variant": "pdf/ua-1", "pdf_tags": True}
MOST_PAGES = 120
# 25 or more characters without a space, in the text between tags.
LONG_WORD = re.compile(r"[^ \t\n<>]{25,}(?=[^<>]*<)")
BREAKABLE = r'<span style="overflow-wrap: anywhere">\g<0></span>'
BREAK_ANYWHERE = "html { overflow-wrap: anywhere }"
# How far text may extend into a side margin, in CSS pixels, because shaping changes its width.
SPILL = 12.0


class PdfFailed(Exception):
    """Raised when the document cannot be rendered correctly; the message says why."""


class OnlyTypefaces(URLFetcher):  # type: ignore[misc]
    """URL fetcher for `asset:<sha256>`; any other URL aborts the rendering."""

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        scheme, _, sha256 = url.partition(":")
        path = document_fonts.by_sha256().get(sha256)
        if scheme != "asset" or path is None:
            raise FatalURLFetchingError(f"a document may not fetch {url[:200]}")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": "font/ttf"})


class SpellingStream(Stream):  # type: ignore[misc]
    """PDF stream that adds the text of a box as ActualText if its glyphs alone are ambiguous."""

    @contextmanager
    def marked(self, box: Any, tag: str) -> Iterator[None]:
        with super().marked(box, tag):
            if getattr(box, "is_spelled", False):
                *_, properties, operator = self.stream
                assert operator == b"BDC"
                properties["ActualText"] = pydyf.String(box.text)
            yield


weasyprint.pdf.Stream = SpellingStream


class Complaints(logging.Handler):
    """Log handler that collects the renderer's warnings."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def render_pdf(
    html: bytes,
    styles: Sequence[str],
    attachments: Sequence[Mapping[str, str]],
    variant: str,
    *,
    spelled: bool,
) -> tuple[bytes, int]:
    """Return the PDF and its number of pages, or raise PdfFailed.

    `attachments` are those of a request to the render process, with their data in base64.
    `spelled` is for house styles with more than one typeface: a glyph may then represent several
    letters, so the text is written beside it for search, copying and screen readers.
    """
    complaints = Complaints()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(complaints)
    try:
        document = _lay_out(html, styles)
        _check_pages(document, html)
        if spelled:
            _spell(document)
        pdf = _write(document, attachments, variant)
    except FatalURLFetchingError as refused:
        raise PdfFailed(str(refused)) from refused
    finally:
        logger.removeHandler(complaints)
    if complaints.said:
        raise PdfFailed("; ".join(dict.fromkeys(complaints.said)))
    return pdf, len(document.pages)


def _lay_out(html: bytes, styles: Sequence[str]) -> Document:
    """Lay out the pages. If text is too wide, break long words; if it still is, break any word.

    Do not allow breaks from the start: unbreakable words determine the width of table columns.
    """
    head, body, rest = html.decode().partition("<body>")
    breakable = head + body + LONG_WORD.sub(BREAKABLE, rest)
    document = _lay_out_once(html.decode(), styles)
    if not _fits(document):
        document = _lay_out_once(breakable, styles)
    if not _fits(document):
        document = _lay_out_once(breakable, [*styles, BREAK_ANYWHERE])
    return document


def _lay_out_once(html: str, styles: Sequence[str]) -> Document:
    fetcher, faces = OnlyTypefaces(), FontConfiguration()
    sheets = [CSS(string=text, url_fetcher=fetcher, font_config=faces) for text in styles]
    page = HTML(string=html, base_url="asset:", url_fetcher=fetcher)
    return page.render(font_config=faces, stylesheets=sheets, **OPTIONS)


def _fits(document: Document) -> bool:
    """Tell whether all text is within the side margins of its page."""
    for page in (page._page_box for page in document.pages):
        left = page.content_box_x()
        if any(_is_outside(text, left - SPILL, left + page.width + SPILL) for text in _texts(page)):
            return False
    return True


def _is_outside(text: Any, left: float, right: float) -> bool:
    return bool(text.position_x < left - 0.5 or text.position_x + text.width > right + 0.5)


def _write(document: Document, attachments: Sequence[Mapping[str, str]], variant: str) -> bytes:
    document.metadata.attachments = [_attachment(**one) for one in attachments]
    # Leave PDFs with attachments uncompressed, so that plain tools can extract them byte for byte.
    options = {**OPTIONS, "pdf_variant": variant, "uncompressed_pdf": bool(attachments)}
    written = document.write_pdf(**options)
    assert written is not None
    return bytes(written)


def _attachment(name: str, data: str, at: str, about: str) -> Attachment:
    moment = datetime.fromisoformat(at)  # passed in, so that output is reproducible
    return Attachment(
        string=base64.b64decode(data),
        name=name,
        description=about,
        created=moment,
        modified=moment,
        relationship="Data",
    )


def _check_pages(document: Document, html: bytes) -> None:
    if len(document.pages) > MOST_PAGES:
        raise PdfFailed(f"the document has {len(document.pages)} pages, more than {MOST_PAGES}")
    rendered: Counter[str] = Counter()
    for number, page in enumerate(document.pages, 1):
        for text in _texts(page._page_box):
            if _is_outside(text, 0, page.width):
                raise PdfFailed(f"text leaves page {number}: {text.text[:60]}")
            rendered.update(text.text.replace(" ", ""))
    if lost := Counter(written_text(html).replace(" ", "")) - rendered:
        raise PdfFailed(f"{lost.total()} letters of the text are on no page")


def _spell(document: Document) -> None:
    """Mark text that needs ActualText. Skip right-to-left text: readers order it differently."""
    for page in document.pages:
        for text in _texts(page._page_box):
            written = text.text
            text.is_spelled = not (
                document_fonts.has_letter_for_all(written) or reads_leftward(written)
            )


def _texts(box: Any) -> Iterator[Any]:
    if isinstance(box, boxes.TextBox):
        yield box
    for child in getattr(box, "children", ()):
        yield from _texts(child)


def written_text(html: bytes) -> str:
    """Return the words of the page's body, separated by single spaces."""
    body = HTML(string=html.decode()).etree_element.find("body")
    return " ".join("".join(body.itertext()).split())
