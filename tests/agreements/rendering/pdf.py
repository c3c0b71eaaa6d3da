"""Inspect a PDF independently of the program that wrote it: text, fonts and tags."""

import io
import re
import subprocess
from html import unescape
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader

LINE = 5  # points
MARKS = dict.fromkeys(map(ord, "\u202a\u202b\u202c"))


def fonts(pdf: bytes) -> list[str]:
    """Return the /BaseFont of every font, without the subset tag."""
    reader = PdfFileReader(io.BytesIO(pdf))
    found = set()
    for page in _pages(reader):
        for font in page["/Resources"]["/Font"].values():
            found.add(str(font.get_object()["/BaseFont"]).split("+")[-1])
    return sorted(found)


def words(pdf: bytes) -> str:
    """Return the text that `pdftotext` finds, without direction marks."""
    return " ".join(_text(pdf).split())


def letters(pdf: bytes) -> str:
    """Return the text that copying from the pages gives, without spaces, page by page."""
    return "".join(_text(pdf, "-raw").split())


def catalog(pdf: bytes) -> Any:
    """Return the catalogue of the PDF."""
    return PdfFileReader(io.BytesIO(pdf)).root


def _pages(reader: PdfFileReader) -> Any:
    return [page.get_object() for page in reader.root["/Pages"]["/Kids"]]


def _text(pdf: bytes, *options: str) -> str:
    command = ["pdftotext", *options, "-", "-"]
    done = subprocess.run(command, input=pdf, capture_output=True, check=True)
    return done.stdout.decode().translate(MARKS)


def from_left(pdf: bytes, *wanted: str) -> list[str]:
    """Return these words in the order in which they are seen on the first line with all of them."""
    # The letters of a word are in the order of the page, so from right to left, too.
    known = {_sorted(word): word for word in wanted}
    for page in _text(pdf, "-bbox").split("<page ")[1:]:
        found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" .* yMax="([\d.]+)">([^<]*)<', page)
        # Typefaces of one line are of several heights.
        places = [
            (float(left), (float(top) + float(bottom)) / 2, known[_sorted(unescape(word))])
            for left, top, bottom, word in found
            if _sorted(unescape(word)) in known
        ]
        for _left, middle, _word in places:
            seen = [word for _x, y, word in sorted(places) if abs(y - middle) < LINE]
            if set(seen) == set(wanted):
                return seen
    return []


def _sorted(word: str) -> str:
    return "".join(sorted(re.sub(r"^\W+|\W+$", "", word)))
