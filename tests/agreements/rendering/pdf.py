"""Inspect a PDF independently of the program that wrote it: text, fonts and tags."""

import io
import subprocess
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader

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
