"""Inspect a PDF independently of the program that wrote it: text, fonts and tags."""

import io
import re
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader

SHOWN = re.compile(
    rb"/(?P<font>\S+) [\d.]+ Tf|\[(?P<array>[^\]]*)\]\s*TJ|<(?P<hex>[0-9a-fA-F]*)>\s*Tj"
)
MAPPING = re.compile(r"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")


def fonts(pdf: bytes) -> list[str]:
    """Return the /BaseFont of every font, without the subset tag."""
    reader = PdfFileReader(io.BytesIO(pdf))
    found = set()
    for page in _pages(reader):
        for font in page["/Resources"]["/Font"].values():
            found.add(str(font.get_object()["/BaseFont"]).split("+")[-1])
    return sorted(found)


def letters(pdf: bytes) -> str:
    """Return the text that copying from the pages gives, without spaces, page by page."""
    reader = PdfFileReader(io.BytesIO(pdf))
    return "".join(_page_letters(page) for page in _pages(reader))


def catalog(pdf: bytes) -> Any:
    """Return the catalogue of the PDF."""
    return PdfFileReader(io.BytesIO(pdf)).root


def _pages(reader: PdfFileReader) -> Any:
    return [page.get_object() for page in reader.root["/Pages"]["/Kids"]]


def _page_letters(page: Any) -> str:
    maps = {
        name.lstrip("/"): _letters_of(font.get_object())
        for name, font in page["/Resources"]["/Font"].items()
    }
    content = page["/Contents"]
    data = content.data if hasattr(content, "data") else b"".join(part.data for part in content)
    current: dict[int, str] = {}
    written = []
    for found in SHOWN.finditer(data):
        if found["font"]:
            current = maps[found["font"].decode()]
        for run in re.findall(rb"<([0-9a-fA-F]*)>", found["array"] or b"") or [found["hex"] or b""]:
            glyphs = (int(run[i : i + 4], 16) for i in range(0, len(run), 4))
            written.append("".join(current[glyph] for glyph in glyphs))
    return "".join("".join(written).split())


def _letters_of(font: Any) -> dict[int, str]:
    text = font["/ToUnicode"].get_object().data.decode("latin-1")
    body = text.split("beginbfchar", 1)[1].split("endbfchar")[0] if "beginbfchar" in text else ""
    return {
        int(glyph, 16): bytes.fromhex(letter).decode("utf-16-be")
        for glyph, letter in MAPPING.findall(body)
    }
