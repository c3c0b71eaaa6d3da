"""Process that inspects one uploaded file: no network, no file writes, limited memory and time.

It reads the file from its standard input. It writes one line of JSON, `{"media_type", "pages"}` or
`{"refused"}`, and then the picture to show, if the file is one.
"""

import json
import logging
import resource
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.decode_limits import DecodeLimits, MiB, StreamDecodeLimits
from pyhanko.pdf_utils.misc import PdfDecodeLimitError
from pyhanko.pdf_utils.reader import PdfFileReader

from console.core import pictures
from onboarding.evidence.media_types import PDF, media_type_of

MEMORY, CPU_SECONDS = 1024 * MiB, 10
MOST_PIXELS = 60_000_000
MOST_PAGES = 200
# Documents of 200 pages have fewer.
MOST_OBJECTS = 30_000
LARGEST_PAGE = 14_400  # points, the largest that PDF 1.7 allows
PREVIEW_SIDE = 2000
LIMITS = DecodeLimits(per_stream=StreamDecodeLimits(max_output_size=64 * MiB))

# What runs, sends or hides something, as keys of any dictionary, and as actions.
_ACTIVE_KEYS = {
    *("/JS", "/JavaScript", "/EmbeddedFiles", "/EF", "/XFA", "/RichMediaContent"),
    *("/Collection", "/3DD", "/PS"),
}
_ACTIVE_ACTIONS = {
    *("/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Movie"),
    *("/Sound", "/Rendition", "/RichMediaExecute", "/GoTo3DView", "/Thread"),
}
# Also refused where our parser does not look: in former revisions and unused objects.
_ACTIVE_BYTES = (b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/RichMedia", b"/SubmitForm")


class EvidenceFault(Exception):
    """Why the file is refused, as a code of `inspection.WORDS`."""


def main() -> None:
    """Inspect the file on standard input."""
    logging.disable(logging.CRITICAL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    said, preview = _inspected(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n" + preview)


def _inspected(data: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        media_type = media_type_of(data)
        if media_type == PDF:
            return {"media_type": media_type, "pages": _pages(data)}, b""
        return {"media_type": media_type, "pages": None}, _preview(data)
    except EvidenceFault as fault:
        return {"refused": str(fault)}, b""
    except PdfDecodeLimitError:
        return {"refused": "heavy"}, b""
    except Exception:  # noqa: BLE001 - an untrusted file may break the parser in any way
        return {"refused": "broken"}, b""


def _preview(data: bytes) -> bytes:
    """Return the picture as a new JPEG without metadata, upright."""
    try:
        picture = pictures.decoded(data, most_pixels=MOST_PIXELS, mode="RGBA")
    except pictures.LargePicture:
        raise EvidenceFault("pixels") from None
    picture = ImageOps.exif_transpose(picture)
    picture.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    # Black words on a transparent background must not become black on black.
    shown = Image.new("RGB", picture.size, "white")
    shown.paste(picture, mask=picture)
    written = BytesIO()
    shown.save(written, "JPEG", quality=85)
    return written.getvalue()


def _pages(data: bytes) -> int:
    """Return the number of pages of a PDF, or refuse it."""
    if not data.rstrip(b"\0\t\r\n ").endswith(b"%%EOF"):
        raise EvidenceFault("broken")
    if any(found in data for found in _ACTIVE_BYTES):
        raise EvidenceFault("active")
    reader = PdfFileReader(BytesIO(data), strict=True, decode_limits=LIMITS)
    if reader.encrypted:
        raise EvidenceFault("locked")
    pages = 0
    for found in _dictionaries(reader):
        _refuse_active(found)
        _refuse_large(found)
        pages += found.get("/Type") == "/Page"
        if pages > MOST_PAGES:
            raise EvidenceFault("pages")
    if not pages or reader.root["/Pages"]["/Type"] != "/Pages":
        raise EvidenceFault("broken")
    return pages


def _dictionaries(reader: PdfFileReader) -> Iterator[generic.DictionaryObject]:
    """Yield every dictionary and stream that a reader can reach, each once."""
    waiting: list[Any] = [reader.root, *dict.values(reader.trailer_view)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, generic.IndirectObject):
            if (found.idnum, found.generation) in seen:
                continue
            seen.add((found.idnum, found.generation))
            if len(seen) > MOST_OBJECTS:
                raise EvidenceFault("heavy")
            found = found.get_object()
        if isinstance(found, generic.DictionaryObject):
            yield found
            waiting += dict.values(found)
        elif isinstance(found, generic.ArrayObject):
            waiting += list.__iter__(found)


def _refuse_active(found: generic.DictionaryObject) -> None:
    if _ACTIVE_KEYS & found.keys() or found.get("/S") in _ACTIVE_ACTIONS:
        raise EvidenceFault("active")


def _refuse_large(found: generic.DictionaryObject) -> None:
    """Refuse pictures and pages that a viewer could not unfold, and streams that unpack to much."""
    box = found.get("/MediaBox")
    if box and any(
        abs(float(side)) * float(found.get("/UserUnit", 1)) > LARGEST_PAGE for side in box
    ):
        raise EvidenceFault("pixels")
    if not isinstance(found, generic.StreamObject):
        return
    if found.get("/Subtype") == "/Image":
        if int(found.get("/Width", 0)) * int(found.get("/Height", 0)) > MOST_PIXELS:
            raise EvidenceFault("pixels")
    elif found.get("/Filter"):
        found.data  # noqa: B018 - decoded to meet the limits


if __name__ == "__main__":
    main()
